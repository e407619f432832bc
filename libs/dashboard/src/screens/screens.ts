import { AuditScreen } from './audit/audit-screen.js';
import { BackfillScreen } from './backfills/backfill-screen.js';
import { BackfillsScreen } from './backfills/backfills-screen.js';
import { DeadLettersScreen } from './dead-letters/dead-letters-screen.js';
import { ExecutionScreen } from './execution/execution-screen.js';
import { ExecutionsScreen } from './executions/executions-screen.js';
import { InstancesScreen } from './instances/instances-screen.js';
import { JobScreen } from './job/job-screen.js';
import { JobsScreen } from './jobs/jobs-screen.js';
import { QueuesScreen } from './queues/queues-screen.js';
import { OverviewScreen } from './overview/overview-screen.js';
import { JobPeriodsScreen } from './periods/job-periods-screen.js';
import { PeriodsScreen } from './periods/periods-screen.js';
import { YearScreen } from './periods/year-screen.js';
import type { Screen } from './screen.js';

/** All screens; the first whose pattern fits is shown. */
export const SCREENS: readonly Screen[] = [
  { pattern: '/', title: () => 'Overview', component: OverviewScreen },
  { pattern: '/periods', title: () => 'Periods', component: PeriodsScreen },
  { pattern: '/periods/:job', title: ({ job = '' }) => `Periods of ${job}`, component: JobPeriodsScreen },
  { pattern: '/periods/:job/:year', title: ({ job = '', year = '' }) => `${year} of ${job}`, component: YearScreen },
  { pattern: '/executions', title: () => 'Executions', component: ExecutionsScreen },
  { pattern: '/executions/:key', title: ({ key = '' }) => key, component: ExecutionScreen },
  { pattern: '/jobs', title: () => 'Jobs', component: JobsScreen },
  { pattern: '/jobs/:job', title: ({ job = '' }) => job, component: JobScreen },
  { pattern: '/backfills', title: () => 'Backfills', component: BackfillsScreen },
  { pattern: '/backfills/:id', title: ({ id = '' }) => `Backfill ${id}`, component: BackfillScreen },
  { pattern: '/dead-letters', title: () => 'Dead letters', component: DeadLettersScreen },
  { pattern: '/queues', title: () => 'Queues', component: QueuesScreen },
  { pattern: '/instances', title: () => 'Instances', component: InstancesScreen },
  { pattern: '/audit', title: () => 'Audit', component: AuditScreen },
];
