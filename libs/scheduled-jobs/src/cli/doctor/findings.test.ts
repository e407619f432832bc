import { describe, expect, it } from 'vitest';
import type { Instance } from '../../core/ports/instance-store.js';
import type { ServerFacts } from '../../postgres/diagnosis/server-facts.js';
import { aliveAt, fleetFindings } from './fleet-findings.js';
import { driftFindings } from './schema-findings.js';
import {
  clockFindings,
  connectionFindings,
  serverFindings,
  snapshotFindings,
  tableFindings,
} from './server-findings.js';
import { deadLetterFindings, jobFindings, queueFindings, scheduleFindings } from './standing-findings.js';

const NOW = new Date('2026-08-14T06:00:00Z');
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const MINUTE = 60_000;

const SERVER: ServerFacts = {
  now: NOW,
  version: '18.1',
  versionNumber: 180_001,
  isStandby: false,
  maxConnections: 97,
  usedConnections: 20,
  hiddenSessions: 0,
  oldest: null,
  prepared: 0,
  oldestPreparedMs: null,
  processNow: NOW,
  roundTripMs: 2,
};
const levels = (findings: readonly { readonly level: string }[]): readonly string[] =>
  findings.map(({ level }) => level);

describe('the server', () => {
  it.each([
    [{}, 'ok'],
    [{ versionNumber: 130_010, version: '13.10' }, 'problem'],
    [{ isStandby: true }, 'problem'],
  ])('with %j is %s', (facts, level) => {
    expect(levels(serverFindings({ ...SERVER, ...facts }))).toEqual([level]);
  });

  it.each([
    [900, 2, 'ok'],
    [-1_500, 2, 'warning'],
    [1_500, 1_200, 'ok'],
    [31_000, 2, 'problem'],
  ])('with a clock %d ms apart at a round trip of %d ms is %s', (apartMs, roundTripMs, level) => {
    const [finding] = clockFindings({ ...SERVER, processNow: new Date(NOW.getTime() + apartMs), roundTripMs });
    expect(finding?.level).toBe(level);
    expect(finding?.text).toContain(`${Math.abs(apartMs)} ms ${apartMs < 0 ? 'behind' : 'ahead of'}`);
  });

  it.each([
    [{ oldest: null }, ['ok']],
    [{ oldest: 14 * MINUTE }, ['ok']],
    [{ oldest: 15 * MINUTE }, ['warning']],
    [{ oldest: 60 * MINUTE }, ['problem']],
    [{ oldest: null, prepared: 15 * MINUTE }, ['problem']],
  ])(
    'with transactions open for %j is %j',
    ({ oldest, prepared = null }: { oldest: number | null; prepared?: number | null }, expected) => {
      const session =
        oldest === null ? null : { pid: 77, application: 'report', state: 'idle in transaction', ageMs: oldest };
      const findings = snapshotFindings({ ...SERVER, oldest: session, prepared: 1, oldestPreparedMs: prepared });
      expect(levels(findings)).toEqual(expected);
    },
  );

  it('tells which session to end', () => {
    const oldest = { pid: 77, application: '', state: 'active', ageMs: 61 * MINUTE };
    expect(snapshotFindings({ ...SERVER, oldest })).toMatchObject([
      {
        text: expect.stringContaining('for 1h 1m: process 77 without a name, active'),
        advice: expect.stringContaining('pg_terminate_backend(77)'),
      },
    ]);
  });

  it('tells that it may not look into the sessions of others', () => {
    expect(snapshotFindings({ ...SERVER, hiddenSessions: 3 })[0]?.text).toContain('grant it pg_monitor');
  });

  it.each([
    [20, null, ['ok']],
    [78, null, ['warning']],
    [95, null, ['problem']],
    [20, { poolSize: 12, concurrency: 10 }, ['ok', 'ok']],
    [20, { poolSize: 10, concurrency: 10 }, ['ok', 'warning']],
    [20, { poolSize: 50, concurrency: 10 }, ['ok', 'ok', 'warning']],
  ])('with %d of 97 connections in use and needs %j is %j', (usedConnections, needs, expected) => {
    expect(levels(connectionFindings({ ...SERVER, usedConnections }, { needs, alive: 2 }))).toEqual(expected);
  });

  it('names tables with many dead rows, and the command against them', () => {
    const facts = { name: 'work', live: 100, dead: 9_999, bytes: 8_192, vacuumedAt: null };
    expect(levels(tableFindings([facts], 'jobs'))).toEqual(['ok']);
    expect(levels(tableFindings([{ ...facts, live: 9_000, dead: 12_000 }], 'jobs'))).toEqual(['ok']);
    expect(tableFindings([{ ...facts, dead: 20_000 }], 'jobs')).toEqual([
      {
        check: 'tables',
        level: 'warning',
        text: 'work holds 20000 dead rows beside 100 live ones, vacuumed never.',
        advice: expect.stringContaining('vacuum (analyze) "jobs".work'),
      },
    ]);
  });
});

describe('the schema', () => {
  it('is well, not compared, or changed by somebody', () => {
    expect(levels(driftFindings({ missing: [], added: [] }, 9))).toEqual(['ok']);
    expect(driftFindings(null, 9)).toMatchObject([{ level: 'ok', text: expect.stringContaining('not compared') }]);
    const lines = Array.from({ length: 7 }, (_, index) => `jobs: column c${index} text`);
    expect(driftFindings({ missing: lines, added: ['work: index x'] }, 9)).toMatchObject([
      { level: 'problem', text: expect.stringMatching(/c0 text; .*c4 text; and 2 more\.$/) },
      { level: 'warning', text: 'Somebody added to the tables: work: index x.' },
    ]);
  });
});

describe('the processes', () => {
  const instance = (facts: Partial<Instance> = {}): Instance => ({
    instanceId: 'a',
    roles: ['worker', 'scheduler'],
    workerId: 'a',
    version: '0.1.0',
    definitionsDigest: 'd1',
    zoneData: '2026a',
    startedAt: before(60 * MINUTE),
    seenAt: before(1_000),
    stoppedAt: null,
    ...facts,
  });
  const find = (instances: readonly Instance[], context = {}) =>
    fleetFindings(instances, { now: NOW, hasSchedules: true, ready: 0, ownDigest: null, ...context }).map(
      ({ check, level }) => `${level} ${check}`,
    );

  it('are alive when they were seen within two minutes and have not stopped', () => {
    const [silent, stopped] = [instance({ seenAt: before(2 * MINUTE) }), instance({ stoppedAt: before(500) })];
    expect(aliveAt([silent, stopped, instance()], NOW)).toHaveLength(1);
  });

  it.each([
    [[instance()], {}, ['ok instances']],
    [[], {}, ['warning workers', 'warning schedulers']],
    [[], { hasSchedules: false, ready: 3 }, ['problem workers']],
    [[instance({ roles: ['worker'] })], {}, ['warning schedulers']],
    [[instance(), instance({ version: '0.2.0' })], {}, ['ok instances', 'warning version']],
    [[instance(), instance({ definitionsDigest: 'd2' })], {}, ['ok instances', 'warning definitions']],
    [[instance(), instance({ zoneData: '2025c' })], {}, ['ok instances', 'warning zones']],
    [[instance(), instance({ version: '0.2.0', seenAt: before(60 * MINUTE) })], {}, ['ok instances']],
    [[instance()], { ownDigest: 'd1' }, ['ok instances']],
    [[instance()], { ownDigest: 'd2' }, ['ok instances', 'warning definitions']],
  ])('%# are judged', (instances, context, expected) => {
    expect(find(instances, context)).toEqual(expected);
  });
});

describe('what waits', () => {
  it('is well where nothing is wrong', () => {
    const all = [
      scheduleFindings([]),
      jobFindings([], NOW),
      queueFindings([], NOW),
      deadLetterFindings({ count: 0, capped: false }),
    ];
    expect(levels(all.flat())).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('is told by schedule, with what to do', () => {
    const schedule = { renamedTo: null, lastError: null, behindMs: null, suspension: null };
    const given = [
      { ...schedule, scheduleName: 'slow', behindMs: 61_000 },
      { ...schedule, scheduleName: 'punctual', behindMs: 59_000 },
      { ...schedule, scheduleName: 'broken', lastError: 'no period', behindMs: 90_000 },
      { ...schedule, scheduleName: 'gone', suspension: { kind: 'orphaned' } },
      { ...schedule, scheduleName: 'old', renamedTo: 'new', behindMs: 90_000 },
    ] as unknown as Parameters<typeof scheduleFindings>[0];
    expect(scheduleFindings(given).map(({ level, text }) => [level, text])).toEqual([
      ['problem', 'The schedule "broken" stands still: no period'],
      ['problem', 'Nobody keeps up with slow: due for up to 1m 1s.'],
      ['warning', 'No process has carried these for ten minutes: gone.'],
    ]);
  });

  it('is told by job and queue, with who let it rest and why', () => {
    const pause = { since: before(90 * MINUTE), actor: 'anna', reason: 'the warehouse moves' };
    const jobs = [
      { jobName: 'lost', unhandledSince: NOW, renamedTo: null, pause: null },
      { jobName: 'report', unhandledSince: null, renamedTo: null, pause },
    ] as unknown as Parameters<typeof jobFindings>[0];
    expect(jobFindings(jobs, NOW).map(({ level, text }) => [level, text])).toEqual([
      ['problem', 'No live worker handles lost: their executions wait.'],
      ['warning', 'The job "report" is paused since 1h 30m by anna: the warehouse moves.'],
    ]);
    const queues = [
      { name: 'mail', pause, breaker: null, ready: 3 },
      { name: 'sync', pause: null, breaker: { state: 'open' }, ready: 4 },
      { name: 'idle', pause: null, breaker: { state: 'closed' }, ready: 0 },
    ] as unknown as Parameters<typeof queueFindings>[0];
    expect(queueFindings(queues, NOW).map(({ text }) => text)).toEqual([
      'The queue "mail" is paused since 1h 30m by anna: the warehouse moves. 3 execution(s) wait.',
      'The breaker of the queue "sync" is open; 4 execution(s) wait.',
    ]);
    expect(deadLetterFindings({ count: 10_000, capped: true })[0]?.text).toBe('10000 or more dead letter(s).');
  });
});
