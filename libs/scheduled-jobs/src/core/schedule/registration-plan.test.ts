import { describe, expect, it } from 'vitest';
import {
  planRegistration,
  type OwnSchedule,
  type RegistrationContext,
  type StoredSchedule,
  type StoredVersion,
} from './registration-plan.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const OLD = '* * * * *';
const NEW = '0 * * * *';

const version = (number: number, expression: string, parts: Partial<StoredVersion> = {}): StoredVersion => ({
  version: number,
  validFrom: inSeconds(-1_000 + number),
  expression,
  timeZone: 'UTC',
  shape: {},
  carriedAt: NOW,
  zoneData: '2025b',
  ...parts,
});
const schedule = (
  scheduleName: string,
  versions: readonly [StoredVersion, ...StoredVersion[]],
  parts: Partial<StoredSchedule> = {},
): StoredSchedule => ({
  scheduleName,
  cursorAt: inSeconds(-60),
  release: null,
  renamedTo: null,
  versions,
  ...parts,
});
const own = (expression: string, parts: Partial<OwnSchedule> = {}): OwnSchedule => ({
  scheduleName: 'new',
  aliases: [],
  expression,
  timeZone: 'UTC',
  shape: {},
  zoneData: '2025c',
  ...parts,
});
const plan = (wanted: OwnSchedule, stored: readonly StoredSchedule[], context: Partial<RegistrationContext> = {}) =>
  planRegistration(wanted, new Map(stored.map((one) => [one.scheduleName, one])), {
    release: null,
    now: NOW,
    ownNames: new Set(['new']),
    ...context,
  });

describe('A schedule that keeps its name', () => {
  it('is left to be added when it does not exist', () => {
    expect(plan(own(NEW), [])).toBeNull();
  });

  it('changes nothing when its definition is in force, but raises the release', () => {
    const stored = schedule('new', [version(1, OLD), version(2, NEW)], { release: 4 });
    expect(plan(own(NEW), [stored], { release: 4 })).toMatchObject({
      change: null,
      version: 2,
      carried: 2,
      cursorAt: null,
    });
    expect(plan(own(NEW), [stored], { release: 5 })).toMatchObject({ change: null, cursorAt: null, release: 5 });
    expect(plan(own(NEW), [stored], { release: 3 })).toMatchObject({ change: null, cursorAt: null, release: 4 });
  });

  it('adds a definition never seen, valid from now, with its zone data', () => {
    expect(plan(own(NEW), [schedule('new', [version(1, OLD)])], { release: 5 })).toEqual({
      scheduleName: 'new',
      change: 'changed',
      version: 2,
      carried: 2,
      cursorAt: inSeconds(-60),
      release: 5,
      addedVersions: [version(2, NEW, { validFrom: NOW, carriedAt: null, zoneData: '2025c' })],
      takenOver: [],
      continues: null,
      beginsAnew: false,
    });
  });

  it.each([
    ['the cursor, when a tick has gone beyond it', { cursorAt: inSeconds(5) }, -900, 5],
    ['the version before, when another process has been faster', {}, 7, 7],
  ])('adds a version that is not valid before %s', (_name, parts, validFrom, expected) => {
    const stored = schedule('new', [version(1, OLD, { validFrom: inSeconds(validFrom) })], parts);
    expect(plan(own(NEW), [stored])?.addedVersions).toMatchObject([{ validFrom: inSeconds(expected) }]);
  });

  it('leaves a replaced definition alone, and adopts it as a new version once nobody carries the newest', () => {
    const versions = (carriedAt: Date | null) => [version(1, OLD), version(2, NEW, { carriedAt })] as const;
    expect(plan(own(OLD), [schedule('new', versions(inSeconds(-120)))])).toMatchObject({
      change: 'left',
      version: 2,
      carried: 1,
      cursorAt: null,
      addedVersions: [],
    });
    expect(plan(own(OLD), [schedule('new', versions(inSeconds(-121)))])).toMatchObject({
      change: 'changed',
      version: 3,
      carried: 3,
      addedVersions: [{ version: 3, expression: OLD, validFrom: NOW }],
    });
  });

  it('keeps the greatest release when a smaller one is adopted, so that neither of two releases wins at every start', () => {
    const stored = schedule('new', [version(1, OLD), version(2, NEW, { carriedAt: inSeconds(-121) })], { release: 10 });
    expect(plan(own(OLD), [stored], { release: 9 })).toMatchObject({ change: 'changed', release: 10 });
    const rolledBack = schedule('new', [version(1, OLD), version(2, NEW), version(3, OLD)], { release: 10 });
    expect(plan(own(NEW), [rolledBack], { release: 10 })).toMatchObject({ change: 'left', version: 3 });
    expect(plan(own(NEW), [rolledBack], { release: 11 })).toMatchObject({ change: 'changed', version: 4, release: 11 });
  });
});

describe('A schedule with an earlier name', () => {
  const renamed = own(OLD, { aliases: ['older', 'old'] });

  it('goes on where the other one stopped, with its history', () => {
    const old = schedule('old', [version(1, NEW), version(2, OLD)], { release: 3 });
    expect(plan(renamed, [old])).toEqual({
      scheduleName: 'new',
      change: 'renamed',
      version: 2,
      carried: 2,
      cursorAt: inSeconds(-60),
      release: 3,
      addedVersions: old.versions,
      takenOver: ['old'],
      continues: 'old',
      beginsAnew: false,
    });
  });

  it('adds its own definition behind that history when it differs, whether or not it was ever in force there', () => {
    const old = schedule('old', [version(1, OLD), version(2, NEW)]);
    expect(plan(renamed, [old])).toMatchObject({
      version: 3,
      addedVersions: [{ version: 1 }, { version: 2 }, { version: 3, expression: OLD, validFrom: NOW }],
    });
  });

  it('is settled once it has taken over', () => {
    const rows = [schedule('new', [version(1, OLD)]), schedule('old', [version(1, OLD)], { renamedTo: 'new' })];
    expect(plan(renamed, rows)).toMatchObject({ change: null, cursorAt: null, takenOver: [] });
  });

  it('takes over from whatever took over from an earlier name', () => {
    const rows = [
      schedule('older', [version(1, OLD)], { renamedTo: 'old' }),
      schedule('old', [version(1, OLD)], { cursorAt: inSeconds(-30) }),
    ];
    expect(plan(renamed, rows)).toMatchObject({ cursorAt: inSeconds(-30), takenOver: ['old'] });
  });

  it('waits until nobody carries what took over from an earlier name and is none itself: both may claim that name', () => {
    const elsewhere = (carriedAt: Date) => [
      schedule('older', [version(1, OLD)], { renamedTo: 'other' }),
      schedule('other', [version(1, OLD, { carriedAt })], { release: 3 }),
    ];
    expect(plan(renamed, elsewhere(NOW))).toMatchObject({ change: 'left', cursorAt: null, takenOver: [] });
    expect(plan(renamed, elsewhere(inSeconds(-121)))).toMatchObject({ change: 'renamed', takenOver: ['other'] });
    expect(plan(renamed, elsewhere(NOW), { release: 4 })).toMatchObject({ change: 'renamed', takenOver: ['other'] });
  });

  it('leaves alone what another job of the same process carries', () => {
    const rows = [schedule('old', [version(1, OLD)], { renamedTo: 'other' }), schedule('other', [version(1, OLD)])];
    expect(plan(renamed, rows, { ownNames: new Set(['new', 'other']) })).toBeNull();
  });

  it('keeps its own cursor when both are in force: two jobs have become one', () => {
    const rows = [
      schedule('new', [version(1, OLD)], { cursorAt: inSeconds(-600) }),
      schedule('old', [version(1, NEW)], { cursorAt: inSeconds(-1) }),
    ];
    expect(plan(renamed, rows)).toMatchObject({
      change: 'renamed',
      version: 1,
      cursorAt: null,
      addedVersions: [],
      takenOver: ['old'],
      continues: null,
      beginsAnew: false,
    });
  });

  it('waits for a greater release under the old name', () => {
    const old = schedule('old', [version(1, OLD)], { release: 9 });
    expect(plan(renamed, [old], { release: 8 })).toMatchObject({
      change: 'left',
      version: 1,
      cursorAt: null,
      takenOver: [],
    });
  });
});

describe('A schedule whose name was replaced', () => {
  const rows = (carriedAt: Date | null, parts: Partial<StoredSchedule> = {}) => [
    schedule('new', [version(1, OLD)], { renamedTo: 'newer', cursorAt: inSeconds(-900) }),
    schedule('newer', [version(1, OLD, { carriedAt })], { cursorAt: inSeconds(-30), ...parts }),
  ];

  it('is left alone while somebody carries the new name, and takes back then', () => {
    expect(plan(own(OLD), rows(inSeconds(-120)))).toMatchObject({
      change: 'left',
      version: 1,
      carried: null,
      cursorAt: null,
    });
    expect(plan(own(OLD), rows(inSeconds(-121)))).toMatchObject({
      change: 'renamed',
      version: 1,
      cursorAt: inSeconds(-30),
      addedVersions: [],
      takenOver: ['newer'],
      continues: 'newer',
    });
  });

  it('takes back at once with a greater release only', () => {
    expect(plan(own(OLD), rows(NOW, { release: 5 }), { release: 6 })).toMatchObject({ change: 'renamed', release: 6 });
    expect(plan(own(OLD), rows(NOW, { release: 5 }), { release: 5 })).toMatchObject({ change: 'left' });
  });

  it('lets the periods behind the cursor be those of the definition that was in force there', () => {
    const newer = schedule(
      'newer',
      [
        version(4, '1 * * * *', { validFrom: inSeconds(-5_000) }),
        version(5, '2 * * * *', { validFrom: inSeconds(-500), carriedAt: null }),
        version(6, '3 * * * *', { validFrom: inSeconds(-10), carriedAt: null }),
      ],
      { cursorAt: inSeconds(-30) },
    );
    const row = schedule('new', [version(1, OLD, { validFrom: inSeconds(-400) })], { renamedTo: 'newer' });
    expect(plan(own(OLD), [row, newer])?.addedVersions).toMatchObject([
      { version: 2, expression: '2 * * * *', validFrom: inSeconds(-400) },
      { version: 3, expression: '3 * * * *', validFrom: inSeconds(-10) },
      { version: 4, expression: OLD, validFrom: NOW },
    ]);
  });

  it('never lets its cursor go back', () => {
    const lagging = rows(null, { cursorAt: inSeconds(-1_000) });
    expect(plan(own(OLD), lagging)).toMatchObject({ cursorAt: inSeconds(-900) });
  });

  it('begins anew at the present when its name was given to another job beside the renamed one', () => {
    expect(plan(own(NEW), rows(NOW), { ownNames: new Set(['new', 'newer']) })).toMatchObject({
      change: 'changed',
      version: 2,
      cursorAt: NOW,
      addedVersions: [{ version: 2, expression: NEW, validFrom: NOW }],
      takenOver: [],
      continues: null,
      beginsAnew: true,
    });
  });
});
