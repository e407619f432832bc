// What keeps steps, frozen sets and the replay of failed items.

/** @type {readonly import('./guards.mjs').Guard[]} */
export const STEP_GUARDS = [
  {
    promise: 'R17 no lease changes hands beside the record of a step',
    file: 'postgres/statements/record-step.sql.ts',
    line: "${fence === 'here' ? 'for key share' : ''}",
    test: 'test/postgres/steps.test.ts',
    name: 'is not recorded beside a rescue that is about to commit',
  },
  {
    promise: 'R17 a worker without its lease records no step',
    file: 'postgres/statements/record-step.sql.ts',
    line: 'and lease_token = $2::bigint and lease_until is not null',
    instead: 'and $2::bigint is not null',
    test: 'test/postgres/steps.test.ts',
    name: 'is fenced: neither a lost lease nor one that another worker has got',
  },
  {
    promise: 'R17 a step is progress: lost leases are counted anew',
    file: 'postgres/statements/rescue-expired.sql.ts',
    line: 'where s.execution_id = x.execution_id and s.lease_token = x.lease_token',
    instead: 'where false',
    test: 'test/postgres/steps.test.ts',
    name: 'begins to count anew when the lost token has recorded a step',
  },
  {
    promise: 'R17 no two idempotency keys are equal',
    file: 'engine/run-steps.ts',
    line: '${encodeURIComponent(name)}/',
    instead: '${name}/',
    test: 'libs/scheduled-jobs/src/engine/run-steps.test.ts',
    name: 'gives each step a key of its own',
  },
  {
    promise: 'R17 a record whose answer was lost counts',
    file: 'engine/run-steps.ts',
    line: 'this.reading = null;',
    test: 'libs/scheduled-jobs/src/engine/run-steps.test.ts',
    name: 'looks again when a record failed',
  },
  {
    promise: 'R12 a set goes on as its first attempt began',
    file: 'engine/run-items-walk.ts',
    line: 'if (frozen === undefined) return',
    instead: 'if (!this.options.frozen) return',
    test: 'test/engine/item-sets.test.ts',
    name: 'is still frozen when the code reads it live by now',
  },
  {
    promise: 'R12 a frozen set has a limit',
    file: 'engine/run-items-walk.ts',
    line: '(await this.run.keys.store(this.set.of, keys, tx)) > MAX_FROZEN',
    instead: '(await this.run.keys.store(this.set.of, keys, tx)) < 0',
    test: 'test/engine/item-sets.test.ts',
    name: 'ends the execution when it',
  },
  {
    promise: 'R18 an item that fails again is not tried again',
    file: 'postgres/statements/take-failed-items.sql.ts',
    line: 'and i.lease_token <= $3::bigint',
    instead: 'and $3::bigint is not null',
    test: 'test/engine/item-sets.test.ts',
    name: 'goes on where an attempt of it stopped',
  },
  {
    promise: 'R18 no attempt counts less than nothing',
    file: 'postgres/statements/commit-with-run.sql.ts',
    line: 'failed_before = nullif(greatest(coalesce(failed_before, 0) - $18::bigint, 0), 0),',
    test: 'test/engine/item-sets.test.ts',
    name: 'hands on only the items that failed',
  },
];
