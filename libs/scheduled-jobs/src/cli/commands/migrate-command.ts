import { migrate, previewMigration, type MigrationReport } from '../../postgres/migrate.js';
import { defineCommand } from '../command.js';
import { LEDGER_OPTIONS, withLedger } from '../application/open-ledger.js';
import { flag } from '../arguments/option.js';

/** Brings the schema of the ledger to the version of this package. */
export const MIGRATE_COMMAND = defineCommand({
  name: 'migrate',
  summary: 'create the tables, or bring them to the version of this package',
  about: `Brings the tables of the ledger to the version of this package, in one transaction: any number of processes may do so
at once and again. Run it before the applications of a release start.`,
  argument: null,
  options: { ...LEDGER_OPTIONS, 'dry-run': flag('only tell which steps would be done') },
  exitCodes: { 0: 'the tables fit', 1: 'they were not changed' },
  run: ({ options }, context) =>
    withLedger({ place: options, context, anySchema: true }, async (ledger) => {
      const { schema } = ledger.options;
      const dryRun = options['dry-run'];
      const report = await (dryRun ? previewMigration : migrate)(ledger.dataSource, { schema });
      return { exitCode: 0, json: { ...report, dryRun }, text: migrationText(report, dryRun) };
    }),
});

function migrationText({ schema, from, to, applied }: MigrationReport, dryRun: boolean): string {
  if (applied.length === 0) return `The schema "${schema}" has version ${to}: there is nothing to do.`;
  const done = dryRun ? 'would go' : 'went';
  return [`The schema "${schema}" ${done} from version ${from} to ${to}:`, ...applied.map((step) => `  ${step}`)].join(
    '\n',
  );
}
