import {
  AcknowledgeDto,
  ActionDto,
  BackfillDto,
  ReplayDto,
  ResumeDto,
  RetryDto,
  TriggerDto,
} from './actions/action.dto.js';
import { AlertListDto } from './reads/alert-list.dto.js';
import { AuditListDto } from './reads/audit-list.dto.js';
import { BackfillListDto } from './reads/backfill-list.dto.js';
import { DeadLetterGroupDto } from './reads/dead-letter-group.dto.js';
import { DeadLetterListDto, ExecutionListDto } from './reads/execution-list.dto.js';
import { ScheduleListDto } from './reads/schedule-list.dto.js';
import { PageDto } from './requests/page.dto.js';
import { WindowDto, WindowListDto, WindowPageDto } from './requests/window.dto.js';

/** A route as people and programs are told of it. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** Below the root of the API. */
  readonly path: string;
  /** What it answers or does, in words. */
  readonly answer: string;
  /** The rules of its parameters (GET) or of its body (POST); null = it takes none. */
  readonly input: (new () => object) | null;
}

/** All routes of the API but its root. `docs/openapi.json` is made of them. */
export const API_ROUTES: readonly ApiRoute[] = [
  { method: 'GET', path: '/executions', answer: 'pages of executions, newest first', input: ExecutionListDto },
  { method: 'GET', path: '/executions/:key', answer: 'one execution, by percent-encoded key or id', input: null },
  { method: 'GET', path: '/executions/:key/attempts', answer: 'its attempts', input: PageDto },
  { method: 'GET', path: '/executions/:key/steps', answer: 'its finished steps', input: PageDto },
  { method: 'GET', path: '/executions/:key/logs', answer: 'its log lines', input: PageDto },
  { method: 'GET', path: '/executions/:key/items', answer: 'its failed items', input: PageDto },
  { method: 'GET', path: '/executions/:key/timeline', answer: 'what happened to it, in order', input: null },
  { method: 'GET', path: '/executions/:key/why', answer: 'why it runs, waits or ended', input: null },
  { method: 'GET', path: '/backfills', answer: 'pages of backfills, newest first', input: BackfillListDto },
  { method: 'GET', path: '/backfills/:id', answer: 'one backfill and how far it has come', input: null },
  { method: 'GET', path: '/session', answer: 'who you are and what you may do', input: null },
  { method: 'GET', path: '/overview', answer: 'how all stands, and what needs attention', input: null },
  { method: 'GET', path: '/jobs', answer: 'every job and its last execution', input: null },
  { method: 'GET', path: '/jobs/:job', answer: 'one job and its options', input: null },
  {
    method: 'GET',
    path: '/jobs/:job/statistics',
    answer: 'what became of its executions in a window',
    input: WindowDto,
  },
  {
    method: 'GET',
    path: '/jobs/:job/periods',
    answer: 'its periods in a window, the missing ones included',
    input: WindowPageDto,
  },
  { method: 'GET', path: '/periods', answer: 'the newest periods of every schedule', input: WindowListDto },
  {
    method: 'GET',
    path: '/schedules',
    answer: 'pages of schedules with cursor and fires, by name',
    input: ScheduleListDto,
  },
  { method: 'GET', path: '/schedules/:name', answer: 'one schedule, its versions and what was left out', input: null },
  { method: 'GET', path: '/queues', answer: 'limits and pauses of queues, and what is in them', input: null },
  { method: 'GET', path: '/instances', answer: 'processes that were seen within a day', input: null },
  {
    method: 'GET',
    path: '/dead-letters',
    answer: 'pages of failures that nobody has acknowledged, newest first',
    input: DeadLetterListDto,
  },
  { method: 'GET', path: '/dead-letters/groups', answer: 'the same by kind of error', input: DeadLetterGroupDto },
  { method: 'GET', path: '/events', answer: 'hints of changes while they happen, as server-sent events', input: null },
  { method: 'GET', path: '/audit', answer: 'pages of what people did by hand, newest first', input: AuditListDto },
  { method: 'GET', path: '/alerts', answer: 'pages of alerts, newest first', input: AlertListDto },
  { method: 'POST', path: '/jobs/:job/trigger', answer: 'adds an execution by hand', input: TriggerDto },
  { method: 'POST', path: '/jobs/:job/pause', answer: 'lets it rest', input: ActionDto },
  { method: 'POST', path: '/jobs/:job/resume', answer: 'ends its pause', input: ResumeDto },
  { method: 'POST', path: '/jobs/:job/backfill', answer: 'executes periods of the past', input: BackfillDto },
  { method: 'POST', path: '/backfills/:id/cancel', answer: 'cancels what has not started of it', input: ActionDto },
  { method: 'POST', path: '/dead-letters/replay', answer: 'executes many once more', input: ReplayDto },
  {
    method: 'POST',
    path: '/dead-letters/acknowledge',
    answer: 'takes many from the dead letters',
    input: AcknowledgeDto,
  },
  { method: 'POST', path: '/queues/:queue/pause', answer: 'lets it rest', input: ActionDto },
  { method: 'POST', path: '/queues/:queue/resume', answer: 'ends its pause', input: ActionDto },
  { method: 'POST', path: '/executions/:key/cancel', answer: 'cancels it', input: ActionDto },
  { method: 'POST', path: '/executions/:key/retry', answer: 'executes it once more', input: RetryDto },
  { method: 'POST', path: '/executions/:key/acknowledge', answer: 'takes it from the dead letters', input: ActionDto },
];
