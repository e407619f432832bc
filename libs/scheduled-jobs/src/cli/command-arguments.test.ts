import { describe, expect, it } from 'vitest';
import { readArguments } from './command-arguments.js';
import { UsageError } from './usage-error.js';

const OPTIONS = { json: { type: 'boolean' }, count: { type: 'string' } } as const;
const read = (...args: string[]) => readArguments(args, OPTIONS);

describe('readArguments', () => {
  it('reads one module and the options around it', () => {
    const given = read('--json', 'dist/app.module.js', '--count=3');
    expect(given.module).toBe('dist/app.module.js');
    expect([given.isSet('json'), given.text('count')]).toEqual([true, '3']);
    expect(given.integer('count', 10, { min: 1, max: 1_000 })).toBe(3);
    expect(read('a').integer('count', 10, { min: 1, max: 1_000 })).toBe(10);
  });

  it.each([
    [[], 'Name the file of the module'],
    [['a', 'b'], 'One module at a time: a, b.'],
    [['a', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
    [['a', '--verbose'], 'There is no option --verbose.'],
    [['a', '-x'], "Unknown option '-x'"],
    [['a', '--count'], "'--count <value>' argument missing"],
  ])('refuses %j', (args, text) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(text);
  });

  it.each(['0', '1001', '1.5', 'ten', ''])('refuses the number %j', (count) => {
    const given = read('a', `--count=${count}`);
    expect(() => given.integer('count', 10, { min: 1, max: 1_000 })).toThrow(
      `--count must be a whole number from 1 to 1000, got "${count}".`,
    );
  });
});
