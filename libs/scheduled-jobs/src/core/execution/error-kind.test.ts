import { BadRequestException, HttpException, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { ItemsFailedError, PermanentError, RetryLaterError, StoreUnavailableError } from '../errors.js';
import { judgeByShape, spokenJudgement } from './error-kind.js';

/** An error with members of its own. */
const errorWith = (members: object, cause?: unknown) => Object.assign(new Error('x', { cause }), members);
const kindOf = (error: unknown) => judgeByShape(error).kind;
const sqlState = (code: string) => errorWith({ code, severity: 'ERROR', routine: 'exec' });
const trap = (): never => {
  throw new Error('trap');
};

describe('judgeByShape', () => {
  it.each([
    ['408', 'transient'],
    ['425', 'transient'],
    ['429', 'throttled'],
    ['500', 'transient'],
    ['502', 'transient'],
    ['503', 'transient'],
    ['504', 'transient'],
    ['599', 'transient'],
    ['400', 'permanent'],
    ['401', 'permanent'],
    ['403', 'permanent'],
    ['404', 'permanent'],
    ['409', 'permanent'],
    ['410', 'permanent'],
    ['422', 'permanent'],
    ['302', 'transient'],
    ['200', 'transient'],
    ['42', 'transient'],
  ])('judges the HTTP status %s as %s in the shape of every client', (text, kind) => {
    const status = Number(text);
    const shapes = {
      axios: errorWith({ isAxiosError: true, code: 'ERR_BAD', response: { status, headers: {} } }),
      undici: errorWith({ code: 'UND_ERR_RESPONSE', statusCode: status, headers: {} }),
      ky: errorWith({ response: { status, headers: new Headers() } }),
      got: errorWith({ response: { statusCode: status, headers: {} } }),
      'a response as cause': new Error('x', { cause: { status, headers: new Headers() } }),
      'a thrown response': status < 600 && status > 199 ? new Response(null, { status }) : { status },
      'http-errors': errorWith({ status, statusCode: status, expose: false }),
      aws: errorWith({ $metadata: { httpStatusCode: status }, $fault: 'client' }),
      nest: new HttpException('x', status),
    };
    for (const [client, error] of Object.entries(shapes)) expect([client, kindOf(error)]).toEqual([client, kind]);
  });

  it('judges exceptions of Nest by their own status, not by a body they quote', () => {
    expect(kindOf(new BadRequestException())).toBe('permanent');
    expect(kindOf(new NotFoundException('gone', { cause: errorWith({ code: 'ECONNRESET' }) }))).toBe('permanent');
    expect(kindOf(new ServiceUnavailableException())).toBe('transient');
    expect(kindOf(new HttpException({ status: 404, statusCode: 404 }, 502))).toBe('transient');
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['1.5', 1_500],
    [30, 30_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', new Date('1994-11-06T08:49:37Z')],
    ['Friday, 14-Aug-26 06:00:30 GMT', new Date('2026-08-14T06:00:30Z')],
    ['Sunday, 06-Nov-94 08:49:37 GMT', new Date('1994-11-06T08:49:37Z')],
    ['Fri Aug 14 06:00:30 2026', new Date('2026-08-14T06:00:30Z')],
    ['Sun Nov  6 08:49:37 1994', new Date('1994-11-06T08:49:37Z')],
    [['5', '9'], 5_000],
  ])('reads Retry-After: %s', (value, retryAfter) => {
    const error = errorWith({ response: { status: 429, headers: { 'retry-after': value } } });
    expect(judgeByShape(error)).toEqual({ kind: 'throttled', retryAfter });
  });

  it.each([
    '-1',
    'soon',
    '',
    'NaN',
    'Infinity',
    '1e3',
    '2026-08-14',
    'Sun, 99 Nov 1994 08:49:37 GMT',
    null,
    {},
    [],
    true,
  ])('does without a Retry-After such as %o', (value) => {
    const headers = { 'retry-after': value };
    expect(judgeByShape(errorWith({ status: 429, headers }))).toEqual({ kind: 'throttled', retryAfter: null });
    expect(kindOf(errorWith({ status: 503, headers }))).toBe('transient');
  });

  it.each([
    ['Headers', new Headers({ 'Retry-After': '3' })],
    ['a map', new Map([['retry-after', '3']])],
    ['names in any case', { 'RETRY-After': '3' }],
    ['a flat list', ['Date', 'x', 'Retry-After', '3']],
    ['a flat list of bytes', ['Date', 'x', 'Retry-After', '3'].map((text) => Buffer.from(text))],
    [
      'pairs',
      [
        ['Date', 'x'],
        ['Retry-After', '3'],
      ],
    ],
  ])('finds Retry-After in %s, also of a 503', (_, headers) => {
    for (const shape of [{ headers, status: 503 }, { response: { headers, status: 503 } }]) {
      expect(judgeByShape(errorWith(shape))).toEqual({ kind: 'throttled', retryAfter: 3_000 });
    }
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'ENOTFOUND', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT'])(
    'judges %s as transient, whatever it wraps',
    (code) => {
      expect(kindOf(errorWith({ code }, sqlState('23505')))).toBe('transient');
      expect(kindOf(new TypeError('fetch failed', { cause: errorWith({ code }, sqlState('23505')) }))).toBe(
        'transient',
      );
    },
  );

  it.each([
    ['40001', 'transient'],
    ['40P01', 'transient'],
    ['55P03', 'transient'],
    ['08006', 'transient'],
    ['53300', 'transient'],
    ['57P01', 'transient'],
    ['57P03', 'transient'],
    ['57014', 'transient'],
    ['XX000', 'transient'],
    ['23505', 'permanent'],
    ['23503', 'permanent'],
    ['22P02', 'permanent'],
    ['42P01', 'permanent'],
    ['42601', 'permanent'],
  ])('judges SQLSTATE %s as %s, also of TypeORM and as a cause', (code, kind) => {
    const error = sqlState(code);
    expect(kindOf(error)).toBe(kind);
    expect(kindOf(new QueryFailedError('select 1', [], error))).toBe(kind);
    expect(kindOf(new Error('outer', { cause: error }))).toBe(kind);
    expect(kindOf(new ItemsFailedError('accounts', 1, { itemKey: '7', cause: error }))).toBe(kind);
  });

  it('takes only errors of a database for SQLSTATEs', () => {
    expect(kindOf(errorWith({ code: '23505' }))).toBe('transient');
  });

  it.each([
    [3, 'permanent'],
    [4, 'transient'],
    [5, 'permanent'],
    [8, 'throttled'],
    [14, 'transient'],
    [16, 'permanent'],
  ])('judges the gRPC code %i as %s', (code, kind) => {
    expect(kindOf(errorWith({ code, details: 'x', metadata: {} }))).toBe(kind);
    expect(kindOf(errorWith({ code }))).toBe('transient');
  });

  it('judges aborts and timeouts that a handler made itself as transient', async () => {
    const permanent = sqlState('23505');
    expect(kindOf(AbortSignal.abort().reason)).toBe('transient');
    expect(kindOf(new DOMException('late', 'TimeoutError'))).toBe('transient');
    expect(kindOf(errorWith({ name: 'AbortError' }, permanent))).toBe('transient');
    expect(kindOf(errorWith({ name: 'TimeoutError' }, permanent))).toBe('transient');
    expect(kindOf(errorWith({ code: 'ABORT_ERR' }, permanent))).toBe('transient');
  });

  it.each([
    undefined,
    null,
    '',
    'x',
    0,
    10n,
    Symbol('s'),
    {},
    [],
    () => 1,
    new Error('x'),
    new StoreUnavailableError('x'),
  ])('judges what it does not know as transient: %o', (thrown) => {
    expect(kindOf(thrown)).toBe('transient');
  });

  it('lets the outermost error that is known decide', () => {
    const notFound = errorWith({ response: { status: 404 } });
    expect(kindOf(errorWith({ status: 502 }, notFound))).toBe('transient');
    expect(kindOf(new Error('x', { cause: new Error('y', { cause: notFound }) }))).toBe('permanent');
    expect(kindOf(errorWith({ status: 404 }, errorWith({ status: 502 })))).toBe('permanent');
  });

  it('takes an AggregateError as mild as its mildest part', () => {
    const [permanent, later, reset] = [
      sqlState('23505'),
      errorWith({ status: 429 }),
      errorWith({ code: 'ECONNRESET' }),
    ];
    const kindOfAll = (...parts: unknown[]) => kindOf(new AggregateError(parts));
    expect(kindOfAll(permanent, new PermanentError('x'))).toBe('permanent');
    expect(kindOfAll(permanent, later)).toBe('throttled');
    expect(kindOfAll(permanent, later, reset)).toBe('transient');
    expect(kindOfAll(permanent, new Error('who knows'))).toBe('transient');
    expect(kindOfAll()).toBe('transient');
    // Parts that say nothing leave it to the cause.
    expect(kindOf(new AggregateError(['x'], 'y', { cause: permanent }))).toBe('permanent');
    expect(kindOf(Object.assign(new AggregateError([permanent]), { code: 'ETIMEDOUT' }))).toBe('transient');
  });

  it('survives everything that can be thrown', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const proxy = new Proxy({}, { get: trap, ownKeys: trap, has: trap, getPrototypeOf: trap });
    const getters = Object.defineProperties(new Error('x'), {
      code: { get: trap },
      cause: { get: trap },
      status: { get: trap },
      response: { get: trap },
      errors: { get: trap },
    });
    const circle = new Error('x');
    circle.cause = circle;
    const ring = new AggregateError([circle]);
    ring.errors.push(ring);
    const headers = errorWith({ status: 429, headers: proxy });
    const get = errorWith({ status: 429, headers: { get: trap } });
    for (const error of [revoked.proxy, proxy, getters, circle, ring]) expect(kindOf(error)).toBe('transient');
    for (const error of [headers, get]) expect(kindOf(error)).toBe('throttled');
    for (const error of [revoked.proxy, proxy, getters, circle, ring]) expect(spokenJudgement(error)).toBeNull();
  });
});

describe('spokenJudgement', () => {
  const foreign = (mark: string, members: object = {}) => errorWith({ [Symbol.for(mark)]: true, ...members });

  it('hears a PermanentError and a RetryLaterError among the causes, also of another copy of the package', () => {
    const permanent = { kind: 'permanent', retryAfter: null };
    for (const error of [new PermanentError('x'), foreign('nestjs-scheduled-jobs/permanent-error')]) {
      expect(spokenJudgement(error)).toEqual(permanent);
      expect(spokenJudgement(errorWith({ status: 503 }, new Error('y', { cause: error })))).toEqual(permanent);
    }
    const later = foreign('nestjs-scheduled-jobs/retry-later-error', { retryAfter: 7 });
    expect(spokenJudgement(new Error('x', { cause: later }))).toEqual({ kind: 'throttled', retryAfter: 7 });
  });

  it('hears the outer one when both are there', () => {
    const later = new RetryLaterError('x', { cause: new PermanentError('y') });
    expect(spokenJudgement(later)).toEqual({ kind: 'throttled', retryAfter: null });
  });

  it('does without a wait that cannot be read', () => {
    const mark = 'nestjs-scheduled-jobs/retry-later-error';
    const unreadable = Object.defineProperty(foreign(mark), 'retryAfter', { get: trap });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const error of [
      unreadable,
      ...[revoked.proxy, '5', Number.NaN, new Date(Number.NaN), {}].map((retryAfter) => foreign(mark, { retryAfter })),
    ]) {
      expect(spokenJudgement(error)).toEqual({ kind: 'throttled', retryAfter: null });
    }
  });
});
