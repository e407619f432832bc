import { ExecutionScreen } from './execution/execution-screen.js';
import { ExecutionsScreen } from './executions/executions-screen.js';
import type { Screen } from './screen.js';

/** All screens; the first whose pattern fits is shown. */
export const SCREENS: readonly Screen[] = [
  { pattern: '/', title: () => 'Executions', component: ExecutionsScreen },
  { pattern: '/executions', title: () => 'Executions', component: ExecutionsScreen },
  { pattern: '/executions/:key', title: ({ key = '' }) => key, component: ExecutionScreen },
];
