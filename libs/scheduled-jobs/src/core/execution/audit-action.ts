/** What people do by hand to executions, jobs, queues and backfills. */
export const AUDIT_ACTIONS = [
  'cancel',
  'replay',
  'replay-many',
  'acknowledge',
  'trigger',
  'pause',
  'resume',
  'pause-queue',
  'resume-queue',
  'backfill',
  'cancel-backfill',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
