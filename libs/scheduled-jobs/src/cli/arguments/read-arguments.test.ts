import { describe, expect, it } from 'vitest';
import type { Argument, CommandInput } from './command-input.js';
import { flag, instant, integer, json, listOf, oneOf, required, text } from './option.js';
import { readArguments } from './read-arguments.js';
import { UsageError } from './usage-error.js';

const MODULE: Argument = { placeholder: '<file>', noun: 'module', help: 'the file of the module', count: 'one' };
const OPTIONS = {
  json: flag('one line of JSON'),
  count: integer('how many', { min: 1, max: 1_000 }),
  from: instant('the first instant'),
  order: oneOf('in which order', ['oldest-first', 'newest-first']),
  states: listOf('ended so', ['failed', 'canceled']),
  payload: json('the payload'),
  name: text('<name>', 'the name'),
};
const read = (...args: string[]) => readArguments(args, { argument: MODULE }, OPTIONS);

describe('readArguments', () => {
  it('reads one module and the options around it', () => {
    const { options, values } = read('--json', 'dist/app.module.js', '--count=3');
    expect(values).toEqual(['dist/app.module.js']);
    expect([options.json, options.count]).toEqual([true, 3]);
    expect([read('a').options.json, read('a').options.count]).toEqual([false, undefined]);
  });

  it('reads instants, words, lists and JSON, and what stands behind --', () => {
    const { options } = read(
      'a',
      '--from',
      '2026-08-01T00:00:00+02:00',
      '--order',
      'newest-first',
      '--payload',
      '{"a":1}',
    );
    expect(options).toMatchObject({ from: new Date('2026-07-31T22:00Z'), order: 'newest-first', payload: { a: 1 } });
    expect(read('a', '--states', 'failed, canceled').options.states).toEqual(['failed', 'canceled']);
    expect(read('a', '--name=--x').options.name).toBe('--x');
    expect(read('--', '--strange').values).toEqual(['--strange']);
  });

  it.each([
    [[], 'Name the file of the module'],
    [['a', 'b'], 'One module at a time: a, b.'],
    [['a', '--jsn'], 'There is no option --jsn. Did you mean --json?'],
    [['a', '--verbose'], 'There is no option --verbose.'],
    [['a', '--toString'], 'There is no option --toString.'],
    [['a', '-x'], 'There is no option -x.'],
    [['a', '--count'], '--count needs a value: --count=<n>.'],
    [['a', '--count', '--json'], '--count needs a value: --count=<n>.'],
    [['a', '--json=yes'], '--json takes no value.'],
    [
      ['a', '--from', '2026-08-01'],
      '--from must be a time with an offset such as "2026-01-01T00:00:00Z", got "2026-08-01".',
    ],
    [['a', '--order', 'best'], '--order must be one of oldest-first, newest-first, got "best".'],
    [['a', '--states', 'failed,lost'], '--states must be one of failed, canceled, got "lost".'],
    [['a', '--payload', '{'], '--payload must be JSON: '],
    [['a', '--name', ''], '--name must not be empty.'],
  ])('refuses %j', (args, text) => {
    expect(() => read(...args)).toThrow(UsageError);
    expect(() => read(...args)).toThrow(text);
  });

  it.each(['0', '1001', '1.5', 'ten', ''])('refuses the number %j', (count) => {
    expect(() => read('a', `--count=${count}`)).toThrow(
      `--count must be a whole number from 1 to 1000, got "${count}".`,
    );
  });

  it('tells all problems at once, and those of options together when each is right', () => {
    const options = { ...OPTIONS, reason: required(text('<text>', 'why')) };
    const problems = ({ options: { name } }: CommandInput<typeof options>) =>
      name === undefined ? [] : ['--name goes alone.'];
    const described = { argument: MODULE, problems };
    expect(() => readArguments(['--cont=1', '--count=0', '--name=x'], described, options)).toThrow(
      [
        'There is no option --cont. Did you mean --count?',
        'Name the file of the module.',
        '--count must be a whole number from 1 to 1000, got "0".',
        '--reason is required: why.',
      ].join('\n'),
    );
    expect(() => readArguments(['a', '--reason=x', '--name=x'], described, options)).toThrow(/^--name goes alone\.$/);
  });
});
