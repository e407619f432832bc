import { describe, expect, it } from 'vitest';
import type { LogLine } from '../core/ports/work-store.js';
import { AttemptLog } from './run-log.js';

function setUp() {
  const lines: LogLine[] = [];
  const lease = { executionId: '1', leaseToken: '2' };
  const log = new AttemptLog({ lease, now: () => new Date(0), append: (line) => lines.push(line) });
  return { log, lines };
}
const bytes = ({ message, fields }: LogLine) => Buffer.byteLength(message) + Buffer.byteLength(fields ?? '');

describe('AttemptLog', () => {
  it('numbers its lines and keeps level, time, message and fields', () => {
    const { log, lines } = setUp();
    const { info } = log;
    info('began', { rows: 3 });
    log.warn('slow');
    expect(lines).toEqual([
      {
        executionId: '1',
        leaseToken: '2',
        lineNo: 1,
        at: new Date(0),
        level: 'info',
        message: 'began',
        fields: '{"rows":3}',
      },
      { executionId: '1', leaseToken: '2', lineNo: 2, at: new Date(0), level: 'warn', message: 'slow', fields: null },
    ]);
  });

  it('keeps a line for a message that has no text', () => {
    const { log, lines } = setUp();
    log.info(Object.create(null) as string);
    expect(lines).toMatchObject([{ message: '(a value that has no text)' }]);
  });

  it('takes secrets out of message and fields', () => {
    const { log, lines } = setUp();
    log.error('cannot reach postgres://a:hunter2@db', { token: 'hunter2', note: 'password=hunter2' });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('keeps a line within 8 KiB, its fields valid JSON', () => {
    const { log, lines } = setUp();
    log.info('😀'.repeat(10_000), { big: '€'.repeat(100_000) });
    log.info('x', { big: 'y'.repeat(8_000) });
    expect(lines.every((line) => bytes(line) <= 8_192)).toBe(true);
    expect(lines.map(({ fields }) => JSON.parse(fields ?? 'null') as unknown)).toEqual([
      { truncated: true, bytes: expect.any(Number) },
      { big: 'y'.repeat(8_000) },
    ]);
  });

  it('keeps 1,000 lines, the last of which says that there were more', () => {
    const { log, lines } = setUp();
    for (let count = 0; count < 1_500; count++) log.debug(`line ${count}`);
    expect(lines).toHaveLength(1_000);
    expect(lines.at(-1)).toMatchObject({
      lineNo: 1_000,
      level: 'warn',
      message: 'Later lines are left out: 1000 are kept.',
    });
  });

  it('never fails its handler', () => {
    const { log, lines } = setUp();
    const circle: Record<string, unknown> = { 'na\0me': 'a\0\uD800' };
    circle['self'] = circle;
    log.info(undefined as never, circle);
    log.info(Symbol('s') as never, null as never);
    log.info('x', 5 as never);
    expect(lines).toHaveLength(3);
    for (const { message, fields } of lines) expect(message + (fields ?? '')).not.toMatch(/\0|\\u0000|\\ud800/i);
  });
});
