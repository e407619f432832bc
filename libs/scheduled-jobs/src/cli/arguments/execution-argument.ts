import type { Argument } from './command-input.js';

/** The execution that a command is about. */
export const EXECUTION_ARGUMENT: Argument = {
  placeholder: '<key>',
  noun: 'execution',
  help: 'the key of an execution, such as daily-report:2026-08-14, or its id',
  count: 'one',
};

/** The job that a command is about. */
export const JOB_ARGUMENT: Argument = { placeholder: '<job>', noun: 'job', help: 'the name of a job', count: 'one' };
