import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, StoreUnavailableError } from '../../core/errors.js';
import { failureText } from './failure-text.js';

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

describe('failureText', () => {
  it('is the text of an error with that of its cause, without a stack', () => {
    expect(failureText(new InvalidOptionsError(['one', 'two']))).toBe(
      'Invalid options of nestjs-scheduled-jobs:\n- one\n- two',
    );
    expect(failureText(new StoreUnavailableError('tick', { cause: refused(1) }))).toBe(
      'The database was not available to tick. connect ECONNREFUSED 127.0.0.1:1',
    );
    expect(failureText('thrown as a text')).toBe('thrown as a text');
  });

  it('says that a server cannot be reached, also when each address of its host was tried', () => {
    const unreachable = 'A server that the application needs, such as its database, cannot be reached: ';
    expect(failureText(refused(1))).toBe(`${unreachable}connect ECONNREFUSED 127.0.0.1:1`);
    const every = Object.assign(new AggregateError([refused(1), refused(2)], ''), { code: 'ECONNREFUSED' });
    expect(failureText(every)).toBe(`${unreachable}connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.1:2`);
  });

  it('shows no password, and no more than 4,000 characters', () => {
    expect(failureText(new Error('postgres://me:hush@host/db'))).toBe('postgres://me:[redacted]@host/db');
    expect(failureText(new Error('x'.repeat(10_000)))).toHaveLength(4_000);
  });
});
