import type { LoggerService } from '@nestjs/common';
import { failureText } from './failure-text.js';

/** Nest's own report of what a command reports itself when it fails. */
const REPORTED_ANYWAY = 'ExceptionHandler';

/** Warnings and errors of an application that runs under a command: one line each, without stacks. */
export class LineLogger implements LoggerService {
  /** @param level `error`: warnings are left out. */
  constructor(
    private readonly writeLine: (line: string) => void,
    private readonly level: 'warning' | 'error' = 'warning',
  ) {}

  log(): void {
    // Routine: the answer of the command says what was done.
  }

  warn(message: unknown, ...rest: readonly unknown[]): void {
    if (this.level === 'warning') this.write('warning', message, rest);
  }

  error(message: unknown, ...rest: readonly unknown[]): void {
    this.write('error', message, rest);
  }

  fatal(message: unknown, ...rest: readonly unknown[]): void {
    this.write('error', message, rest);
  }

  /** The context is the last of what follows a message; of an error, its stack may stand before it. */
  private write(level: 'warning' | 'error', message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    if (context === REPORTED_ANYWAY) return;
    const where = typeof context === 'string' ? ` [${context}]` : '';
    this.writeLine(`${level}${where} ${typeof message === 'string' ? message : failureText(message)}`);
  }
}
