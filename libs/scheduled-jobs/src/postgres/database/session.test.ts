import type { QueryRunner } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { ClientSession } from './session.js';

describe('ClientSession', () => {
  it('takes the rows out of the answer of the driver, which would hold them for long', async () => {
    const answer = { rows: [{ id: '1' }] };
    const runner = { connect: async () => ({ query: async () => answer }) } as unknown as QueryRunner;
    const session = await ClientSession.of(runner, 0);

    await expect(session.query('select id from x')).resolves.toEqual([{ id: '1' }]);
    expect(answer.rows).toEqual([]);
  });
});
