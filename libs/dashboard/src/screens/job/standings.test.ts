import { describe, expect, it } from 'vitest';
import { standingsOf } from './standings.js';

const job = { paused: null, handled: true, unhandledSince: null, renamedTo: null };
const schedule = { disabled: false, suspension: null, lastError: null, behindMs: null, nextAt: '2026-08-14T06:00:00Z' };
const since = '2026-08-13T10:00:00Z';
const suspension = { kind: 'orphaned', from: since, to: null, catchUp: true, actor: null, reason: null } as const;

describe('standingsOf', () => {
  it('says that a job is ready when nothing keeps it from work', () => {
    expect(standingsOf(job, schedule)).toMatchObject([{ mark: 'good', text: 'Ready' }]);
    expect(standingsOf(job, null)).toMatchObject([{ text: 'Ready' }]);
  });

  it('names who paused it and why, as far as that is known', () => {
    const paused = { since, actor: 'anna', reason: 'the import is late' };
    expect(standingsOf({ ...job, paused }, null)).toEqual([
      { mark: 'paused', text: 'Paused', since, note: 'by anna: the import is late' },
    ]);
    const nobody = { since, actor: null, reason: null };
    expect(standingsOf({ ...job, paused: nobody }, null)).toMatchObject([{ note: 'by somebody' }]);
  });

  it.each([
    ['Not handled', { handled: false, unhandledSince: since }, {}],
    ['Renamed', { renamedTo: 'other' }, {}],
    ['Disabled', {}, { disabled: true }],
    ['Orphaned', {}, { suspension }],
    ['Schedule fails', {}, { lastError: 'periodOf threw' }],
    ['Behind', {}, { behindMs: 60_001 }],
  ])('%s', (text, ofJob, ofSchedule) => {
    expect(standingsOf({ ...job, ...ofJob }, { ...schedule, ...ofSchedule }).map((each) => each.text)).toEqual([text]);
  });

  it('tells all of them, and not of a schedule that is behind for a moment or stands still', () => {
    const all = standingsOf({ ...job, handled: false, unhandledSince: since }, { ...schedule, disabled: true });
    expect(all.map(({ text }) => text)).toEqual(['Not handled', 'Disabled']);
    expect(standingsOf(job, { ...schedule, behindMs: 60_000 })).toMatchObject([{ text: 'Ready' }]);
    expect(standingsOf(job, { ...schedule, behindMs: 90_000, nextAt: null })).toMatchObject([{ text: 'Ready' }]);
  });
});
