import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { afterEach, describe, expect, it } from 'vitest';
import { InvalidOptionsError, SchemaVersionError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { advisoryLock } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { migrate } from '../../libs/scheduled-jobs/src/postgres/migrate.js';
import {
  LEDGER_MIGRATIONS,
  SCHEMA_VERSION,
} from '../../libs/scheduled-jobs/src/postgres/migrations/ledger-migrations.js';
import { checkSchema } from '../../libs/scheduled-jobs/src/postgres/schema-version.js';
import { TestLedger } from '../support/ledger.js';
import { schemaPicture } from '../support/schema-picture.js';

const ledgers: TestLedger[] = [];
afterEach(async () => {
  for (const ledger of ledgers.splice(0)) await ledger.close();
});
async function emptyDatabase(schema = 'scheduled_jobs'): Promise<TestLedger> {
  const ledger = await TestLedger.create({ schema, migrated: false });
  ledgers.push(ledger);
  return ledger;
}

describe('migrate', () => {
  it('creates the schema, tells what it did, and has nothing to do the second time', async () => {
    const { dataSource } = await emptyDatabase();
    const names = LEDGER_MIGRATIONS.map((Migration) => new Migration('x').name);
    expect(await migrate(dataSource, { schema: 'scheduled_jobs' })).toEqual({
      schema: 'scheduled_jobs',
      from: 0,
      to: SCHEMA_VERSION,
      applied: names,
    });
    expect(await migrate(dataSource, { schema: 'scheduled_jobs' })).toEqual({
      schema: 'scheduled_jobs',
      from: SCHEMA_VERSION,
      to: SCHEMA_VERSION,
      applied: [],
    });
  });

  it('is safe when 20 processes start at once on an empty database', async () => {
    const ledger = await emptyDatabase();
    const sources = await Promise.all(Array.from({ length: 20 }, () => ledger.connect({ poolSize: 1 })));
    const reports = await Promise.all(sources.map((source) => migrate(source, { schema: 'scheduled_jobs' })));
    expect(reports.filter(({ applied }) => applied.length > 0)).toHaveLength(1);
    for (const source of sources) await checkSchema(source, { schema: 'scheduled_jobs' });
  });

  it('leaves nothing behind when a step fails, and works afterwards', async () => {
    const ledger = await emptyDatabase();
    await ledger.sql('create schema scheduled_jobs; create table scheduled_jobs.logs (x int)');
    await expect(migrate(ledger.dataSource, { schema: 'scheduled_jobs' })).rejects.toThrow('already exists');
    expect(await ledger.sql(`select tablename from pg_tables where schemaname = 'scheduled_jobs'`)).toEqual([
      { tablename: 'logs' },
    ]);
    await ledger.sql('drop table scheduled_jobs.logs');
    await migrate(ledger.dataSource, { schema: 'scheduled_jobs' });
  });

  it('works under the limits and the isolation of the host', async () => {
    const ledger = await emptyDatabase();
    const dataSource = await ledger.connect({
      isolationLevel: 'SERIALIZABLE',
      poolSize: 1,
      extra: {
        options:
          '-c search_path= -c default_transaction_isolation=serializable -c lock_timeout=1 -c statement_timeout=20',
      },
    });
    const other = await ledger.client();
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock($1, $2)', [...advisoryLock('scheduled_jobs', 'migrate')]);
    const migrating = migrate(dataSource, { schema: 'scheduled_jobs' });
    await expect
      .poll(() =>
        ledger.sql(
          `select 1 from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '50 ms'`,
        ),
      )
      .toHaveLength(1);
    await other.query('commit');
    expect(await migrating).toMatchObject({ from: 0 });
    await checkSchema(dataSource, { schema: 'scheduled_jobs' });
  });

  it('gives each schema its own ledger', async () => {
    const ledger = await emptyDatabase('_a1');
    await migrate(ledger.dataSource, { schema: '_a1' });
    await migrate(ledger.dataSource, { schema: 'select' });
    const client = await ledger.client();
    expect(await schemaPicture(client, 'select')).toBe(await schemaPicture(client, '_a1'));
  });

  it.each(['', 'Jobs', '1jobs', 'a-b', 'a b', 'a"b', 'public; drop', 'x'.repeat(52)])(
    'refuses the schema name %j',
    (schema) => {
      expect(() => migrate({} as DataSource, { schema })).toThrow(InvalidOptionsError);
    },
  );

  it('keeps apart from the migrations of the host application', async () => {
    const ledger = await emptyDatabase();
    class HostMigration1700000000000 implements MigrationInterface {
      up = (runner: QueryRunner) => runner.query('create table public.host (id int)');
      down = async () => {};
    }
    const host = await ledger.connect({
      migrations: [HostMigration1700000000000],
      extra: { options: '-c search_path=public' },
    });
    await migrate(host, { schema: 'scheduled_jobs' });
    await host.runMigrations();
    expect(await migrate(host, { schema: 'scheduled_jobs' })).toMatchObject({ applied: [] });
    expect(await host.query('select name from public.migrations')).toEqual([{ name: 'HostMigration1700000000000' }]);
  });

  it('can take its steps back', async () => {
    const ledger = await emptyDatabase();
    await migrate(ledger.dataSource, { schema: 'scheduled_jobs' });
    const runner = ledger.dataSource.createQueryRunner();
    for (const Step of LEDGER_MIGRATIONS.toReversed()) await new Step('scheduled_jobs').down(runner);
    await runner.release();
    expect(
      await ledger.sql(
        `select relname from pg_class where relnamespace = 'scheduled_jobs'::regnamespace and relkind <> 'i'`,
      ),
    ).toEqual([{ relname: 'migrations' }]);
  });

  it.each(LEDGER_MIGRATIONS.map((Migration) => [Migration.name, new Migration('x')] as const))(
    'has steps with a name that ends in 13 digits and a version that still works: %s',
    (className, migration) => {
      expect(migration.name).toBe(className);
      expect(migration.name).toMatch(/^[A-Z][A-Za-z]+\d{13}$/);
      expect(migration.oldestWorkingVersion).toBeGreaterThanOrEqual(1);
    },
  );
});

describe('checkSchema', () => {
  const check = ({ dataSource }: TestLedger) => checkSchema(dataSource, { schema: 'scheduled_jobs' });

  it('says what to do where there is no schema, or an empty one', async () => {
    const ledger = await emptyDatabase();
    await expect(check(ledger)).rejects.toThrow(SchemaVersionError);
    await expect(check(ledger)).rejects.toThrow(`no schema "scheduled_jobs" of scheduled jobs. Run migrate(dataSource`);
    await ledger.sql('create schema scheduled_jobs');
    await expect(check(ledger)).rejects.toThrow('Run migrate');
  });

  it('accepts the schema of this version and a newer one that this version still works on', async () => {
    const ledger = await emptyDatabase();
    await migrate(ledger.dataSource, { schema: 'scheduled_jobs' });
    await check(ledger);
    await ledger.sql('insert into scheduled_jobs.migrations values ($1, $2, $3, now())', [
      SCHEMA_VERSION + 1,
      'Newer',
      SCHEMA_VERSION,
    ]);
    await check(ledger);
    expect(await migrate(ledger.dataSource, { schema: 'scheduled_jobs' })).toEqual({
      schema: 'scheduled_jobs',
      from: SCHEMA_VERSION + 1,
      to: SCHEMA_VERSION + 1,
      applied: [],
    });
  });

  it('asks to update the package where the schema is too new for it', async () => {
    const ledger = await emptyDatabase();
    await migrate(ledger.dataSource, { schema: 'scheduled_jobs' });
    await ledger.sql('insert into scheduled_jobs.migrations values ($1, $2, $1, now())', [SCHEMA_VERSION + 1, 'Newer']);
    await expect(check(ledger)).rejects.toThrow('Update the package.');
    await expect(migrate(ledger.dataSource, { schema: 'scheduled_jobs' })).rejects.toThrow(SchemaVersionError);
  });
});
