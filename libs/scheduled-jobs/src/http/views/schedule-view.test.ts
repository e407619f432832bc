import { describe, expect, it } from 'vitest';
import { scheduledJob } from '../../../../../test/support/engine.js';
import type { ScheduleSummary } from '../../core/ports/ledger-reader.js';
import type { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { ScheduleView } from './schedule-view.js';

const job = scheduledJob('0 * * * *', { name: 'hourly' });
/** As the last tick left it, ten days before anybody looks. */
const STORED: ScheduleSummary = {
  scheduleName: 'hourly',
  jobName: 'hourly',
  version: 1,
  expression: '0 * * * *',
  timeZone: 'UTC',
  shape: {},
  disabled: false,
  cursorAt: new Date('2026-08-04T05:00:00Z'),
  nextAt: new Date('2026-08-04T06:00:00Z'),
  behindMs: 864_000_000,
  lastError: null,
  retryAt: null,
  last: null,
  suspension: null,
  renamedTo: null,
};

describe('ScheduleView', () => {
  it.each([
    ['carries the job', [['hourly', { definition: job }]]],
    ['does not', []],
  ] as const)('shows the next fire after now, although the stored one is past, in a process that %s', (_name, jobs) => {
    const catalog = { entries: () => new Map(jobs) } as unknown as JobCatalog;
    for (const now of ['2026-08-14T06:00:00Z', '2026-08-14T06:59:59.999Z']) {
      expect(new ScheduleView(catalog).summary(STORED, new Date(now))).toMatchObject({
        previousAt: expect.any(Date),
        nextAt: new Date('2026-08-14T07:00:00Z'),
      });
    }
  });
});
