/** The first instant with a new offset. */
interface NotoriousChange {
  readonly timeZone: string;
  readonly at: string;
}

const changes = (list: readonly (readonly [timeZone: string, at: string])[]): readonly NotoriousChange[] =>
  list.map(([timeZone, at]) => ({ timeZone, at }));

/** Changes that broke other calendars: at and across midnight, by half an hour, two hours, a day, twice in a month. */
export const NOTORIOUS_CHANGES = changes([
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Europe/Berlin', '2024-10-27T01:00Z'],
  ['Australia/Lord_Howe', '2023-09-30T15:30Z'],
  ['Australia/Lord_Howe', '2024-04-06T15:00Z'],
  ['America/Sao_Paulo', '2018-11-04T03:00Z'],
  ['America/Sao_Paulo', '2018-02-18T02:00Z'],
  ['America/Santiago', '2023-04-02T03:00Z'],
  ['America/Havana', '2025-03-09T05:00Z'],
  ['America/St_Johns', '2006-10-29T02:31Z'],
  ['America/St_Johns', '2006-04-02T03:31Z'],
  ['Atlantic/Azores', '2025-03-30T01:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00Z'],
  ['Pacific/Apia', '2012-03-31T14:00Z'],
  ['Antarctica/Troll', '2025-03-30T01:00Z'],
  ['Antarctica/Casey', '2020-10-03T16:01Z'],
  ['America/Recife', '2000-10-15T02:00Z'],
  ['Asia/Pyongyang', '2015-08-14T15:00Z'],
  ['America/Toronto', '1919-03-31T04:30Z'],
  // on or beside the bounds of the blocks that the calendar searches zones in
  ['Europe/Warsaw', '1985-03-31T00:00Z'],
  ['Africa/Tunis', '2005-09-30T00:00Z'],
  ['Europe/Paris', '1944-10-07T23:00Z'],
]);
