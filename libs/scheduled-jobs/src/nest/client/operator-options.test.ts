import { describe, expect, it } from 'vitest';
import { SYSTEM_CLOCK } from '../../core/system-clock.js';
import { operatorRequest } from './operator-options.js';

describe('operatorRequest', () => {
  it('keeps no secret of who asks and why', () => {
    const options = { actor: 'anna token=abc', reason: 'moved to postgres://app:hunter2@db/app' };
    expect(operatorRequest('pause "mail"', options, SYSTEM_CLOCK)).toEqual({
      actor: 'anna token=[redacted]',
      reason: 'moved to postgres://app:[redacted]@db/app',
      now: null,
    });
  });

  it.each(['', '   ', '\t\n', '\u00a0\u3000', '\u200b\u2060', '\u0000', '\ud800', 'x'.repeat(1_001)])(
    'refuses a reason that says nothing or cannot be stored: %j',
    (reason) => {
      expect(() => operatorRequest('pause "mail"', { reason }, SYSTEM_CLOCK)).toThrow('reason is required');
    },
  );

  it.each(['.', '42', '维护', '🔧'])('takes %j for a reason', (reason) => {
    expect(operatorRequest('pause "mail"', { reason }, SYSTEM_CLOCK)).toMatchObject({ reason });
  });
});
