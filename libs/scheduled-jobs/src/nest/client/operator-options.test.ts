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
});
