import { InvalidQueryError } from '../../core/errors.js';
import { OptionReader } from '../../core/job/option-reader.js';
import type {
  DeadLetterGroup,
  DeadLetterGroupQuery,
  DeadLetterGroups,
  DeadLetterReader,
} from '../../core/ports/dead-letter-reader.js';
import type { Database } from '../database/database.js';
import { checkTexts } from '../ledger/query-checks.js';
import type { LedgerNames } from '../ledger-names.js';
import { groupDeadLettersSql, type DeadLetterGroupRow } from '../statements/group-dead-letters.sql.js';

const LOOKED_AT = 10_000;
const MAX_GROUPS = 100;
const NAMED_JOBS = 10;
const MESSAGE_LENGTH = 500;

/** Reads dead letters as groups. */
export class PostgresDeadLetterReader implements DeadLetterReader {
  private readonly sql: string;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = groupDeadLettersSql(names);
  }

  async groups(query: DeadLetterGroupQuery): Promise<DeadLetterGroups> {
    checkQuery(query);
    const limits = [LOOKED_AT + 1, MAX_GROUPS + 1, NAMED_JOBS, MESSAGE_LENGTH];
    const values = [query.job, query.queue, ...limits];
    const rows = await this.database.query<DeadLetterGroupRow>('group dead letters', this.sql, values);
    return {
      items: rows.slice(0, MAX_GROUPS).map(groupOf),
      capped: rows.length > MAX_GROUPS || (rows[0]?.seen ?? 0) > LOOKED_AT,
    };
  }
}

function checkQuery(query: DeadLetterGroupQuery): void {
  const problems: string[] = [];
  new OptionReader(query, '', problems).allowOnly(['job', 'queue']);
  checkTexts(query, ['job', 'queue'], problems);
  if (problems.length > 0) throw new InvalidQueryError(problems);
}

const groupOf = (row: DeadLetterGroupRow): DeadLetterGroup => ({
  fingerprint: row.error_fingerprint,
  errorClass: row.error_class,
  errorCode: row.error_code,
  message: row.message,
  count: row.count,
  jobs: row.jobs,
  firstAt: row.first_at,
  lastAt: row.last_at,
  exampleKey: row.example_key,
});
