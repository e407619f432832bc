import { describe, expect, it } from 'vitest';
import { attention, type AttentionFacts } from './attention.js';

const AT = new Date('2026-03-01T12:00:00Z');
const pause = { since: AT, actor: 'anna', reason: 'the relay moves' };
const queue = (name: string, members: Partial<AttentionFacts['queues'][number]> = {}) => ({
  name,
  pause: null,
  breaker: null,
  oldestReadyMs: null,
  ...members,
});
const open = { state: 'open', openUntil: AT, calls: 0, failures: 0 } as const;

const judged = (facts: Partial<AttentionFacts>) =>
  attention({ missed: [], behind: [], unhandled: [], queues: [], jobs: [], ...facts });

describe('what needs attention', () => {
  it('is nothing where all is well', () => {
    const queues = [queue('mails', { oldestReadyMs: 900_000, breaker: { ...open, state: 'closed', openUntil: null } })];
    expect(judged({ queues, jobs: [{ jobName: 'mail', deadLetters: 0, pause: null }] })).toEqual([]);
  });

  it('comes the most urgent kind first, each with its subject and where to look', () => {
    const found = judged({
      jobs: [
        { jobName: 'mail', deadLetters: 1, pause },
        { jobName: 'report', deadLetters: 7, pause: null },
      ],
      queues: [
        queue('slow', { oldestReadyMs: 1_000_000 }),
        queue('resting', { pause, oldestReadyMs: 1_000_000 }),
        queue('broken', { breaker: open }),
      ],
      missed: ['night'],
      behind: ['late'],
      unhandled: ['gone'],
    });
    expect(found.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      'missed-period night',
      'schedule-behind late',
      'no-worker gone',
      'breaker-open broken',
      'backlog slow',
      'dead-letters report',
      'dead-letters mail',
      'queue-paused resting',
      'job-paused mail',
    ]);
    expect(found[4]).toMatchObject({ text: expect.stringContaining('16 minutes'), link: { queue: 'slow' } });
    expect(found[3]?.text).toContain('2026-03-01T12:00:00.000Z');
    expect(found[8]).toMatchObject({ text: expect.stringContaining('anna: the relay moves'), link: { job: 'mail' } });
  });

  it('is at most 50 things', () => {
    expect(judged({ missed: Array.from({ length: 80 }, (_, n) => `job-${n}`) })).toHaveLength(50);
  });
});
