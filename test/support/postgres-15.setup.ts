import { sharedServerSetup } from './postgres-server.js';

export const setup = sharedServerSetup({ major: 15, provideAs: 'databaseUrl15', override: 'TEST_DATABASE_URL_15' });
