import { describe, expect, it } from 'vitest';
import { redactFields, redactText } from './redaction.js';

describe('redactText', () => {
  it.each([
    ['postgres://app:hunter2@db:5432/app', 'postgres://app:[redacted]@db:5432/app'],
    ['redis://:hunter2@cache', 'redis://:[redacted]@cache'],
    ['amqp://u:p@ss@w@host/x', 'amqp://u:[redacted]@host/x'],
    ['Authorization: Bearer abcdefgh.ijk', 'Authorization: [redacted]'],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"[redacted]"}'],
    ['sent Bearer abcdefghijkl to', 'sent Bearer [redacted] to'],
    ['password=hunter2&user=a', 'password=[redacted]&user=a'],
    ['db_password: "hun ter2", x', 'db_password: [redacted], x'],
    ['{"apiKey":"k-1","n":1}', '{"apiKey":[redacted],"n":1}'],
    ['api_key=k1;API-KEY=k2', 'api_key=[redacted];API-KEY=[redacted]'],
    ['access_token=abc client_secret=def', 'access_token=[redacted] client_secret=[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----\nrest', '[redacted]\nrest'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'jwt [redacted]'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    'http://host:8080/path?mail=a@b.c',
    'the password is wrong',
    'tokens: 512',
    'Unexpected token < in JSON at position 0',
    'Basic plan',
  ])('leaves "%s" alone', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('is fast for long texts of any shape', () => {
    const started = performance.now();
    for (const unit of [
      'a',
      '://',
      'a:',
      'password',
      'password=',
      '"',
      '-----BEGIN ',
      'Bearer ',
      'eyJ',
      ' ',
      'token"" ',
    ]) {
      redactText(unit.repeat(Math.ceil(131_072 / unit.length)));
    }
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});

describe('redactFields', () => {
  it('replaces values by the name of their key, at any depth', () => {
    const fields = {
      user: 'a',
      password: 'b',
      nested: { 'x-api-key': 1, list: [{ sessionToken: 'c' }] },
      tokens: 5,
      hasPassword: true,
    };
    expect(redactFields(fields)).toEqual({
      user: 'a',
      password: '[redacted]',
      nested: { 'x-api-key': '[redacted]', list: [{ sessionToken: '[redacted]' }] },
      tokens: 5,
      hasPassword: true,
    });
  });

  it('replaces secrets inside texts', () => {
    expect(redactFields({ url: 'postgres://a:b@c/d' })).toEqual({ url: 'postgres://a:[redacted]@c/d' });
  });

  it('turns anything into plain data', () => {
    const circle: Record<string, unknown> = {
      at: new Date(0),
      error: new TypeError('x'),
      big: 10n,
      not: Number.NaN,
      nothing: undefined,
      run: () => 1,
      symbol: Symbol('s'),
      get trap() {
        throw new Error('trap');
      },
    };
    circle['self'] = circle;
    expect(redactFields(circle)).toEqual({
      at: '1970-01-01T00:00:00.000Z',
      error: 'TypeError: x',
      big: '10',
      not: 'NaN',
      nothing: null,
      run: '[function]',
      symbol: 'Symbol(s)',
      trap: '[unreadable]',
      self: '[circular]',
    });
    const proxy = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap');
        },
      },
    );
    expect(redactFields(proxy)).toBe('[unreadable]');
  });
});
