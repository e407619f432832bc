import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALERT_KINDS } from '../../libs/scheduled-jobs/src/core/alert/alert.js';
import {
  ATTEMPT_OUTCOMES,
  FINAL_STATES,
  SKIP_REASONS,
  SKIPPED_RANGE_REASONS,
  SUSPENSION_KINDS,
  TRIGGERS,
} from '../../libs/scheduled-jobs/src/core/execution/execution-state.js';
import { ERROR_KINDS } from '../../libs/scheduled-jobs/src/core/execution/judgement.js';
import { OVERLAP_POLICIES } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { BACKFILL_ORDERS } from '../../libs/scheduled-jobs/src/core/ports/backfill-store.js';
import { AUDIT_ACTIONS } from '../../libs/scheduled-jobs/src/core/execution/audit-action.js';
import { useLedger } from '../support/ledger-tests.js';
import { schemaPicture } from '../support/schema-picture.js';

const ledgerOf = useLedger();

describe('the schema', () => {
  it('is the one of the reviewed picture', async () => {
    const picture = await schemaPicture(await ledgerOf().client(), 'scheduled_jobs');
    await expect(picture).toMatchFileSnapshot(fileURLToPath(new URL('./schema.sql', import.meta.url)));
  });

  it('knows every instant with its time zone', async () => {
    expect(
      await ledgerOf().sql(
        `select table_name, column_name from information_schema.columns
         where table_schema = 'scheduled_jobs' and (data_type like 'timestamp without%' or data_type in ('date', 'time without time zone'))`,
      ),
    ).toEqual([]);
  });

  it.each([
    ['jobs_overlap_check', OVERLAP_POLICIES],
    ['outcomes_state_check', FINAL_STATES],
    ['outcomes_reason_check', ['skipped', ...SKIP_REASONS, 'failed', 'deadline']],
    ['attempts_outcome_check', ATTEMPT_OUTCOMES],
    ['executions_trigger_check', TRIGGERS],
    ['skipped_ranges_reason_check', SKIPPED_RANGE_REASONS],
    ['suspensions_kind_check', SUSPENSION_KINDS],
    ['backfills_direction_check', BACKFILL_ORDERS],
    ['alerts_kind_check', ALERT_KINDS],
    ['attempts_error_kind_check', ERROR_KINDS],
    ['outcomes_error_kind_check', ERROR_KINDS],
    ['audit_action_check', AUDIT_ACTIONS],
  ])('allows in %s exactly the words of the core', async (name, words) => {
    const { definition } = await ledgerOf().row<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = $1`,
      [name],
    );
    expect(new Set(Array.from(definition.matchAll(/'([^']*)'/g), ([, word]) => word))).toEqual(new Set(words));
  });

  it('keeps two executions of one key apart by itself, whatever a program has looked at before', async () => {
    expect(
      await ledgerOf().sql(
        `select contype, pg_get_constraintdef(oid) as definition from pg_constraint
         where conrelid = 'scheduled_jobs.keys'::regclass and contype in ('p', 'u')`,
      ),
    ).toEqual([{ contype: 'p', definition: 'PRIMARY KEY (key_hash)' }]);
    const insert = () =>
      ledgerOf().sql(`insert into keys (key_hash, execution_id) values (substr(sha256('k'), 1, 16), 1)`);
    await insert();
    await expect(insert()).rejects.toMatchObject({ code: '23505' });
  });

  it('touches no index with a column that a heartbeat changes', async () => {
    const columns = ['lease_until', 'started_at', 'stage', 'percent', 'processed', 'failed', 'skipped'];
    const indexes = await ledgerOf().sql<{ indexdef: string }>(
      `select indexdef from pg_indexes where schemaname = 'scheduled_jobs' and tablename = 'work'`,
    );
    expect(indexes.length).toBeGreaterThan(5);
    expect(indexes.filter(({ indexdef }) => columns.some((column) => indexdef.includes(column)))).toEqual([]);
  });

  it.each([
    [`update work set phase = 'hidden'`, 'work_phase_check'],
    [`update work set phase = 'leased'`, 'work_lease_check'],
    [`update work set concurrency_key = 'k'`, 'work_slot_check'],
    [`insert into outcomes (execution_id, state, finished_at) values (1, 'lost', now())`, 'outcomes_state_check'],
    [`insert into outcomes (execution_id, state, finished_at) values (1, 'skipped', now())`, 'outcomes_reason_check'],
    [
      `insert into outcomes (execution_id, state, reason, finished_at) values (1, 'skipped', 'bored', now())`,
      'outcomes_reason_check',
    ],
    [
      `insert into outcomes (execution_id, state, reason, finished_at) values (1, 'succeeded', 'deadline', now())`,
      'outcomes_reason_check',
    ],
    [`insert into keys values ('\\x00', 1)`, 'keys_hash_check'],
    [`insert into jobs values ('x', 'trample', 1)`, 'jobs_overlap_check'],
    [
      `insert into skipped_ranges (job_name, from_at, to_at, occurrences, reason, created_at) values ('x', now(), now(), 1, 'lazy', now())`,
      'skipped_ranges_reason_check',
    ],
    [
      `insert into attempts (execution_id, lease_token, attempt, started_at, finished_at, outcome) values (1, 1, 1, now(), now(), 'released')`,
      'attempts_outcome_check',
    ],
    [
      `insert into logs (execution_id, lease_token, line_no, logged_at, level, message) values (1, 1, 1, now(), 'fatal', '')`,
      'logs_level_check',
    ],
  ])('refuses words it does not know: %s', async (statement, constraint) => {
    await ledgerOf().insert({});
    await expect(ledgerOf().sql(statement)).rejects.toMatchObject({ constraint });
  });
});
