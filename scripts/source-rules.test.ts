import { describe, expect, it } from 'vitest';
import { faultsOf } from './source-rules.mjs';

const LIBRARY_FILE = 'libs/scheduled-jobs/src/engine/worker.ts';
const TEST_FILE = 'test/engine/worker.test.ts';

const faults = (text: string, path = LIBRARY_FILE) => faultsOf({ path, text });

describe('faultsOf', () => {
  it('finds nothing wrong with ordinary code', () => {
    const text =
      "export const select = (from: string) => `Select a job from ${from}`;\nthrow new Error('Update the set.');\n";
    expect(faults(text)).toEqual([]);
  });

  it.each(['select id from t', 'INSERT INTO t (a) values (1)', '\n  update t set a = 1', 'with due as (select 1) …'])(
    'refuses SQL outside its layer: %s',
    (sql) => {
      const text = `const a = 1;\nquery(\`${sql}\`);`;
      expect(faults(text)).toEqual([expect.stringMatching(/worker\.ts:2: SQL/)]);
      expect(faults(text, 'libs/scheduled-jobs/src/postgres/statements/claim.sql.ts')).toEqual([]);
      expect(faults(text, TEST_FILE)).toEqual([]);
    },
  );

  it('refuses SQL with bound identifiers and in plain strings', () => {
    expect(faults("query(`delete from ${table} where id = $1`); query('create table t (id int)');")).toHaveLength(2);
  });

  it('refuses a file of more than 400 lines', () => {
    expect(faults('\n'.repeat(400))).toEqual([]);
    expect(faults('\n'.repeat(401))).toEqual([expect.stringContaining('401 lines')]);
  });

  it('refuses notes about unfinished work, with their line', () => {
    const mark = ['TO', 'DO'].join('');
    expect(faults(`\n// ${mark}: later`)).toEqual([expect.stringContaining('worker.ts:2: unfinished')]);
  });

  it('refuses default exports in libraries only', () => {
    expect(faults('export default 1;')).toHaveLength(1);
    expect(faults('export { a as default };')).toHaveLength(1);
    expect(faults('export default 1;', 'test/support/setup.ts')).toEqual([]);
  });

  it.each(['libs/scheduled-jobs/src/core/utils.ts', 'test/helpers/rows.ts', 'apps/api/src/types.d.ts'])(
    'refuses the name %s',
    (path) => {
      expect(faults('', path)).toEqual([expect.stringContaining('says nothing')]);
    },
  );

  it.each(['it', 'describe', 'it.concurrent'])('refuses a test file that runs only a part of itself: %s', (name) => {
    const call = [name, 'only'].join('.');
    expect(faults(`${call}('a', () => {});`, TEST_FILE)).toEqual([expect.stringContaining('leaves all other')]);
  });
});
