import { describe, expect, it } from 'vitest';
import { boundValue, parameter, COLUMN_TYPES, instantOf, parseInstant, secondsOf } from './column-values.js';

describe('parseInstant', () => {
  it.each([
    ['2026-03-08 01:02:03.456+00', '2026-03-08T01:02:03.456Z'],
    ['2026-03-08 01:02:03.456789+00', '2026-03-08T01:02:03.456Z'],
    ['2026-03-08 01:02:03.4-06', '2026-03-08T07:02:03.400Z'],
    ['2026-03-08 01:02:03+05:30', '2026-03-07T19:32:03.000Z'],
    ['1890-01-01 00:00:00-06:36:36', '1890-01-01T06:36:36.000Z'],
    ['0099-12-31 23:59:59+00', '0099-12-31T23:59:59.000Z'],
  ])('reads %s', (text, expected) => {
    expect(parseInstant(text).toISOString()).toBe(expected);
  });

  it('gives an invalid date for what is no instant', () => {
    for (const text of ['infinity', '', '08/03/2026 01:02:03 CET']) expect(parseInstant(text).getTime()).toBeNaN();
  });
});

describe('boundValue', () => {
  it('writes instants in UTC, also inside lists, and leaves the rest alone', () => {
    const instant = new Date(1_772_366_400_000);
    expect(boundValue([instant, null, 'x'])).toEqual(['2026-03-01T12:00:00.000Z', null, 'x']);
    expect(boundValue(instant)).toBe('2026-03-01T12:00:00.000Z');
    expect([boundValue(1), boundValue(null), boundValue(undefined)]).toEqual([1, null, undefined]);
  });
});

describe('instantOf', () => {
  it('gives back each millisecond and cuts microseconds off, as parseInstant does', () => {
    const sinceMs = Date.parse('2026-03-08T01:02:03.000Z');
    for (let ms = sinceMs; ms < sinceMs + 1_000; ms++) {
      expect(instantOf(secondsOf(new Date(ms)) ?? 0).getTime()).toBe(ms);
      expect(instantOf(ms / 1_000 + 0.000999).getTime()).toBe(ms);
    }
    expect(instantOf(-0.5).toISOString()).toBe('1969-12-31T23:59:59.500Z');
    expect(secondsOf(null)).toBeNull();
  });
});

describe('COLUMN_TYPES', () => {
  it.each([
    ['bool', 16, 't', true],
    ['int4', 23, '7', 7],
    ['int8', 20, '9007199254740993', '9007199254740993'],
    ['float8', 701, '1.5', 1.5],
    ['jsonb', 3802, '{"a":1}', { a: 1 }],
    ['text', 25, 't', 't'],
  ])('reads %s', (_name, type, text, expected) => {
    expect(COLUMN_TYPES.getTypeParser(type)(text)).toEqual(expected);
  });
});

describe('parameter', () => {
  it('writes lists as PostgreSQL reads them', () => {
    expect(parameter(['a', 'say "x\\y"', '', 'null', null, '{1,2}'])).toBe(
      String.raw`{"a","say \"x\\y\"","","null",NULL,"{1,2}"}`,
    );
    expect(parameter([1, -2.5, 1_796_047_200.123])).toBe('{1,-2.5,1796047200.123}');
    expect(parameter([])).toBe('{}');
  });

  it('leaves to the driver what is no list of plain values', () => {
    expect(parameter([new Date(0), null])).toEqual(['1970-01-01T00:00:00.000Z', null]);
    expect([parameter(1), parameter('{'), parameter(null)]).toEqual([1, '{', null]);
  });
});
