import { InvalidRequestError } from '../core/errors.js';

/** By Symbol.for: the program and the application may have a copy of the package each. */
const MARK = Symbol.for('nestjs-scheduled-jobs/command-process');
const marked = process as typeof process & { [MARK]?: boolean };

/** Says that this process is a command's: applications are loaded in it, and none may run. */
export function markCommandProcess(): void {
  marked[MARK] = true;
}

/**
 * Keeps an application from running in the process of a command, when the file that the command loads starts one: it would
 * register definitions, tick and claim, and die with the command in the middle of that.
 * @throws InvalidRequestError in the process of a command.
 */
export function refuseStartInCommand(): void {
  if (marked[MARK] !== true) return;
  throw new InvalidRequestError('start the application', [
    'this process is a command of nestjs-scheduled-jobs, which only loads it. Give it the file of the root module, such as dist/app.module.js, not the one that starts the application',
  ]);
}
