import { sharedServerSetup } from './postgres-server.js';

export const setup = sharedServerSetup({ major: 18, provideAs: 'databaseUrl', override: 'TEST_DATABASE_URL' });
