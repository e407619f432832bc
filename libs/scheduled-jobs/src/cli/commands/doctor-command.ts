import { defineCommand } from '../command.js';
import { examine } from '../doctor/examine.js';
import type { Finding, Level } from '../doctor/finding.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';

interface Examination {
  readonly problems: number;
  readonly warnings: number;
  readonly findings: readonly Finding[];
}

/** Looks for what is wrong, and tells what to do. */
export const DOCTOR_COMMAND = defineCommand({
  name: 'doctor',
  summary: 'look for what is wrong with database, tables, processes and jobs, and tell what to do',
  about: `Looks at the server, its clock, open transactions, hints, the tables (compared with new ones, in a transaction that is
rolled back), connections, the live processes, schedules, queues, jobs and dead letters. Each finding says what to do.
With an application it also looks at its pool and its definitions.`,
  argument: null,
  options: LEDGER_OPTIONS,
  exitCodes: { 0: 'no problem, warnings or not', 1: 'problems, or the database cannot be reached' },
  run: ({ options }, context) =>
    withLedger({ place: options, context, anySchema: true }, async (ledger) => {
      const findings = await examine(ledger, context.progress);
      const of = (level: Level): number => findings.filter((finding) => finding.level === level).length;
      const examination = { problems: of('problem'), warnings: of('warning'), findings };
      return { exitCode: examination.problems === 0 ? 0 : 1, json: examination, text: examinationText(examination) };
    }),
});

function examinationText({ problems, warnings, findings }: Examination): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return [
    ...findings.flatMap(({ check, level, text, advice }) => [
      `${level.padEnd('problem'.length)}  ${check.padEnd(width)}  ${text}`,
      ...(advice === null ? [] : [`${' '.repeat('problem'.length + width + 4)}→ ${advice}`]),
    ]),
    `${problems} problem(s), ${warnings} warning(s)`,
  ].join('\n');
}
