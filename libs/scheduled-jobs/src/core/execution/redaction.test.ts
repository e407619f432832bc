import { describe, expect, it } from 'vitest';
import { redactFields, redactStart, redactStored, redactText } from './redaction.js';

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

  it.each([
    // Connection strings
    ['https://u:p/a@host/x', 'https://u:[redacted]@host/x'],
    ['a postgresql://app:s3cr:et?x@db/app b', 'a postgresql://app:[redacted]@db/app b'],
    ['Server=db;User Id=sa;Password=hunter2;Encrypt=1', 'Server=db;User Id=sa;Password=[redacted];Encrypt=1'],
    ['AccountKey=abc/def==;Suffix=x', 'AccountKey=[redacted];Suffix=x'],
    ['PGPASSWORD=hunter2 psql', 'PGPASSWORD=[redacted] psql'],
    // Headers
    ['authorization: Digest username="a", realm="b"\nnext: 1', 'authorization: [redacted]"a", realm="b"\nnext: 1'],
    ['Cookie: sid=abc; theme=dark\r\nHost: x', 'Cookie: [redacted]\r\nHost: x'],
    ['set-cookie: sid=abc; HttpOnly', 'set-cookie: [redacted]'],
    ['{"cookie":"sid=abc; a=b","n":1}', '{"cookie":"[redacted]","n":1}'],
    ['x-api-key: k-1', 'x-api-key: [redacted]'],
    // Quotes
    [
      String.raw`{"body":"{\"password\":\"hunter2\",\"n\":1}"}`,
      String.raw`{"body":"{\"password\":[redacted],\"n\":1}"}`,
    ],
    [String.raw`{"password":"hun\"ter2","n":1}`, '{"password":[redacted],"n":1}'],
    ['password="hunter2 without an end\nnext line', 'password=[redacted]\nnext line'],
    ["{ password: 'hunter2', n: 1 }", '{ password: [redacted], n: 1 }'],
    ['password\n=\thunter2', 'password\n=\t[redacted]'],
    // Tokens
    ['tokens=abc', 'tokens=[redacted]'],
    ['a eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln, b', 'a [redacted], b'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '[redacted]'],
    ['key AKIAIOSFODNN7EXAMPLE used', 'key [redacted] used'],
    ['xoxb-123456789012-abc and sk-abcdefghijklmnopqrst', '[redacted] and [redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nMII without an end', '[redacted]'],
    [
      '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
      '-----BEGIN CERTIFICATE-----\nMII\n-----END CERTIFICATE-----',
    ],
    ['?sessionId=abc&x=1', '?sessionId=[redacted]&x=1'],
    ['https://s3/x?X-Amz-Signature=abc&y=1', 'https://s3/x?X-Amz-Signature=[redacted]&y=1'],
  ])('removes the secret of %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    'maxTokens: 512',
    '{"total_tokens":512}',
    'eyJ is how they begin',
    'a task-force-of-many-people',
    'http://[::1]:8080/a@b',
  ])('sees no secret in %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('changes nothing when it is done again', () => {
    for (const text of ['password=a b', 'Authorization: Bearer abcdefghijkl', '{"token":"a"}', 'postgres://a:b@c/d']) {
      expect(redactText(redactText(text))).toBe(redactText(text));
    }
  });

  // Repeated, each is what some careless search would look at again and again. CPU time: other programs do not count.
  it.each([
    ['a', '://', '://:', '://a:b/', '://a:bbbb', 'a://b:c/', 'http://a:b@'],
    ['password', 'password=', 'pwd', 'secret.', 'api-key', 'a=', '=', ':', 'tokens: 5 ', `${'x'.repeat(99)}=`],
    ['"', '\\"', 'password="', 'password=\\"', "password='", 'token"" ', 'cookie: "', 'authorization:'],
    ['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'Bearer ', 'Bearer a', 'ghp_', 'sk-', 'xoxb-', 'AKIA'],
    ['eyJ', 'eyJ-', 'eyJ.', 'eyJ ', 'eyJaaaaaaaaaaaa.aaaa', 'eyJaaaaaaaaaa.eyJaaaaaaaa ', ' ', '\n', '\\', 'é'],
  ])('takes less than 100 ms for 1 MB of %j, and so on', (...units) => {
    for (const unit of units) {
      for (const tail of ['', 'z'.repeat(524_288)]) {
        const text = unit.repeat(Math.ceil((1_048_576 - tail.length) / unit.length)) + tail;
        // More looks, should the first one have been at code that was not compiled yet.
        const fast = [1, 2, 3, 4, 5].some(() => cpuMs(() => redactText(text)) < 100);
        expect([unit, fast]).toEqual([unit, true]);
      }
    }
  });
});

function cpuMs(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

describe('redactStart', () => {
  it('cuts at a blank, so that no half of a secret stays', () => {
    const text = `${'a '.repeat(2_000)}postgres://app:hunter2-and-more@db/app`;
    for (let length = 4_001; length <= text.length + 1; length++) {
      expect(redactStart(text, length)).not.toContain('hunter2');
    }
    expect(redactStart(text, 4_010)).toMatch(/^a a .* … \[truncated\]$/);
    expect(redactStart('short', 5)).toBe('short');
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

  it('hides lists of tokens and secrets in names, and keeps counts', () => {
    expect(redactFields({ tokens: ['a'], refreshTokens: 'b', usedTokens: 7, 'postgres://a:b@c': 1 })).toEqual({
      tokens: '[redacted]',
      refreshTokens: '[redacted]',
      usedTokens: 7,
      'postgres://a:[redacted]@c': 1,
    });
  });

  it('bounds depth, members and texts', () => {
    const deep = (levels: number): unknown => (levels === 0 ? { password: 'x' } : { a: deep(levels - 1) });
    expect(JSON.stringify(redactFields(deep(40)))).toContain('[too deep]');
    expect(redactFields(Array.from({ length: 1_000 }, () => 1))).toHaveLength(100);
    expect(redactFields({ text: 'x '.repeat(5_000_000) })).toEqual({
      text: expect.stringMatching(/^x .{16000,17000}\[truncated\]$/),
    });
  });
});

describe('redactStored', () => {
  it('keeps all of a stored value but its secrets, at any depth', () => {
    const deep = (levels: number): unknown => (levels === 0 ? { password: 'x' } : { a: deep(levels - 1) });
    const text = 'x '.repeat(50_000);
    const value = { deep: deep(29), many: Array.from({ length: 1_000 }, (_, n) => n), text, url: 'http://a:b@c' };
    expect(redactStored(value)).toEqual({
      ...value,
      deep: JSON.parse(JSON.stringify(deep(29)).replace('"x"', '"[redacted]"')),
      url: 'http://a:[redacted]@c',
    });
    for (const plain of [null, 1, 'a', true, [1, [2]]]) expect(redactStored(plain)).toEqual(plain);
  });
});
