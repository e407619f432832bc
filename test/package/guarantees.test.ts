import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GUARDS, pathOf } from '../guards/guards.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const promises = read('docs/guarantees.md')
  .split('\n')
  .filter((line) => /^\| (?!promise|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The tests of a promise: `file` or `file · name`, below `test` or beside the source. */
const named = promises.flatMap(([, promise = '', , tests = '']) =>
  tests.split(';').map((text) => {
    const [, file = '', name = ''] = /^\s*`([^`]+)`(?: · (.+))?$/.exec(text) ?? [];
    return { promise, file, name };
  }),
);

describe('docs/guarantees.md', () => {
  it.each(named)('names a test that exists: $file · $name', ({ file, name }) => {
    const path = ['test', 'libs/scheduled-jobs/src', 'libs/dashboard/src']
      .map((folder) => `${folder}/${file}.test.ts`)
      .find((at) => existsSync(join(root, at)));
    expect(path, file).toBeDefined();
    expect(read(path ?? '')).toContain(name);
  });

  it('marks a promise for each test that goes red without its line', () => {
    const guarding = new Set(GUARDS.map(({ test, name }) => `${test} ${name}`));
    expect(promises.filter(([, promise = '']) => promise.includes('†'))).toHaveLength(guarding.size);
  });
});

describe('test/guards', () => {
  it.each(GUARDS)('takes away a line that is there, and expects a test that exists: $promise', (guard) => {
    const places = read(pathOf(guard)).split(guard.line).length - 1;
    expect(places).toBeGreaterThan(0);
    expect(places).toBeLessThanOrEqual(guard.everywhere === true ? places : 1);
    expect(read(guard.test)).toContain(guard.name);
  });
});
