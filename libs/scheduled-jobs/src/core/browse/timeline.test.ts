import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../ports/audit-log.js';
import type { AttemptDetail, ExecutionDetail, StepDetail } from '../ports/ledger-reader.js';
import { timelineOf, type TimelineInput } from './timeline.js';

const at = (second: number): Date => new Date(Date.UTC(2026, 2, 1, 12, 0, second));

const execution = (members: Partial<ExecutionDetail> = {}): ExecutionDetail =>
  ({
    trigger: 'schedule',
    actor: null,
    createdAt: at(1),
    scheduledFor: at(0),
    state: 'failed',
    reason: null,
    blockedByKey: null,
    startedAt: at(10),
    finishedAt: at(12),
    leaseToken: '8',
    attempts: 2,
    workerId: 'w2',
    ...members,
  }) as ExecutionDetail;

const attempt = (number: number, start: number, members: Partial<AttemptDetail> = {}): AttemptDetail =>
  ({
    leaseToken: String(number),
    attempt: number,
    workerId: `w${number}`,
    startedAt: at(start),
    finishedAt: at(start + 2),
    durationMs: 2_000,
    outcome: 'failed',
    error: { errorClass: 'TypeError', code: null, message: 'boom\nat place', stack: null },
    ...members,
  }) as AttemptDetail;

const timeline = (input: Partial<TimelineInput>) =>
  timelineOf({ execution: execution(), attempts: [], steps: [], operations: [], ...input }).map(({ text }) => text);

describe('the timeline of an execution', () => {
  it('tells what was in its way, and what replaced it', () => {
    const ended = (members: Partial<ExecutionDetail>) =>
      timeline({ execution: execution({ blockedByKey: 'job:3', ...members }) }).at(-1);
    expect(ended({ state: 'skipped', reason: 'overlap' })).toBe('It is skipped (overlap with "job:3").');
    expect(ended({ state: 'skipped', reason: 'superseded' })).toBe('It is skipped (superseded by "job:3").');
    const replaced = {
      at: at(5),
      action: 'cancel',
      actor: null,
      reason: 'replaced by "job:3"',
      details: { replacedBy: '3' },
    };
    expect(timeline({ operations: [replaced as AuditEntry] })).toContain('It is asked to stop: replaced by "job:3".');
  });

  it('tells from its making to its end what happened, in order', () => {
    const steps = [{ stepName: 'look', finishedAt: at(3), durationMs: 1_000 } as StepDetail];
    const operations = [{ at: at(5), action: 'replay', actor: 'anna', reason: 'the shelf is full' } as AuditEntry];
    expect(timeline({ attempts: [attempt(1, 2), attempt(2, 10)], steps, operations })).toEqual([
      'It is due.',
      'Made by a tick.',
      'Attempt 1 starts on w1.',
      'Step "look" is done after 1000 ms.',
      'Attempt 1 ends failed after 2000 ms: TypeError: boom.',
      'anna replays it: the shelf is full.',
      'Attempt 2 starts on w2.',
      'Attempt 2 ends failed after 2000 ms: TypeError: boom.',
      'It is failed.',
    ]);
  });

  it('shows the attempt that goes on, and none twice', () => {
    const running = execution({ state: 'running', finishedAt: null });
    expect(timeline({ execution: running })).toEqual(['It is due.', 'Made by a tick.', 'Attempt 2 starts on w2.']);
    const recorded = [attempt(2, 10, { leaseToken: '8', outcome: 'succeeded', error: null })];
    const texts = timeline({ execution: running, attempts: recorded });
    expect(texts.filter((text) => text.startsWith('Attempt 2 starts'))).toHaveLength(1);
  });

  it('says who made it and why it was left out', () => {
    const skipped = execution({
      trigger: 'trigger',
      actor: 'bert',
      state: 'skipped',
      reason: 'overlap',
      finishedAt: at(2),
    });
    expect(timeline({ execution: skipped })).toEqual(['It is due.', 'Triggered by bert.', 'It is skipped (overlap).']);
  });
});
