import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findApplication, namedApplication } from './find-application.js';
import { UsageError } from '../arguments/usage-error.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-application-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifest = (text: string) => writeFileSync(join(folder, 'package.json'), text);
const find = (given?: string, environment = {}) => findApplication(given, { folder, environment });

describe('findApplication', () => {
  it('takes what the command names, else the environment, else package.json', () => {
    manifest('{ "nestjs-scheduled-jobs": { "app": "dist/app.module.js" } }');
    const environment = { NESTJS_SCHEDULED_JOBS_APP: 'dist/other.js' };
    expect([find('given.js', environment), find(undefined, environment), find()]).toEqual([
      'given.js',
      'dist/other.js',
      'dist/app.module.js',
    ]);
  });

  it('finds none where nobody names one', () => {
    manifest('{ "name": "shop" }');
    expect(find()).toBeNull();
    expect(() => namedApplication(undefined, { folder, environment: {} })).toThrow(UsageError);
    expect(findApplication(undefined, { folder: '/nowhere', environment: {} })).toBeNull();
  });

  it.each([
    ['{ "nestjs-scheduled-jobs": { "ap": "x" } }', '"nestjs-scheduled-jobs".ap is not an option. Did you mean "app"?'],
    ['{ "nestjs-scheduled-jobs": { "app": 3 } }', '"nestjs-scheduled-jobs".app must be the file of the module'],
    ['{ "nestjs-scheduled-jobs": "x" }', '"nestjs-scheduled-jobs" must be an object, got "x"'],
    ['{', 'package.json cannot be read: '],
  ])('refuses %s', (text, problem) => {
    manifest(text);
    expect(() => find()).toThrow(UsageError);
    expect(() => find()).toThrow(problem);
  });
});
