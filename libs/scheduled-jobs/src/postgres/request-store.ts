import type { RepeatableRequest, RequestStanding, RequestStore } from '../core/ports/request-store.js';
import type { Database } from './database/database.js';
import type { LedgerNames } from './ledger-names.js';
import { answerRequestSql } from './statements/answer-request.sql.js';
import { beginRequestSql } from './statements/begin-request.sql.js';
import { findRequestSql, type RequestRow } from './statements/find-request.sql.js';
import { forgetRequestSql } from './statements/forget-request.sql.js';
import { removeOldRequestsSql } from './statements/remove-old-requests.sql.js';

/** Requests that may be repeated: one row each. */
export class PostgresRequestStore implements RequestStore {
  private readonly sql;

  constructor(
    names: LedgerNames,
    private readonly database: Database,
  ) {
    this.sql = {
      begin: beginRequestSql(names),
      find: findRequestSql(names),
      answer: answerRequestSql(names),
      forget: forgetRequestSql(names),
      removeOld: removeOldRequestsSql(names),
    };
  }

  async begin({ requestId, digest }: RepeatableRequest, now: Date | null): Promise<RequestStanding> {
    const begun = await this.database.query('begin a request', this.sql.begin, [requestId, digest, now]);
    if (begun.length > 0) return { standing: 'begun' };
    const [found] = await this.database.query<RequestRow>('find a request', this.sql.find, [requestId]);
    // Forgotten meanwhile: whoever asks again begins it.
    if (found === undefined) return { standing: 'in-progress' };
    if (found.digest !== digest) return { standing: 'other' };
    return found.answer === null ? { standing: 'in-progress' } : { standing: 'answered', answer: found.answer };
  }

  async answered({ requestId, digest }: RepeatableRequest, answer: string): Promise<void> {
    await this.database.query('keep the answer of a request', this.sql.answer, [requestId, digest, answer]);
  }

  async forget({ requestId, digest }: RepeatableRequest): Promise<void> {
    await this.database.query('forget a request', this.sql.forget, [requestId, digest]);
  }

  async removeOld(limit: number, now: Date | null): Promise<number> {
    return (await this.database.query('remove old requests', this.sql.removeOld, [now, limit])).length;
  }
}
