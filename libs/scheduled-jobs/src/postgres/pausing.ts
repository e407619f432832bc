import { StoreUnavailableError } from '../core/errors.js';
import type { PauseResult } from '../core/ports/suspension-store.js';
import type { Database } from './database/database.js';
import type { Session } from './database/session.js';
import type { PausedRow } from './statements/pause-job.sql.js';
import type { ResumedRow } from './statements/resume-job.sql.js';

const MAX_LOOKS = 5;

/**
 * Pauses something in a transaction. No answer means that another pause began or ended at the same moment, which the next
 * look sees.
 * @throws StoreUnavailableError when each look met another one.
 */
export async function paused(
  database: Database,
  action: string,
  pause: (session: Session) => Promise<PausedRow | undefined>,
): Promise<PauseResult> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const row = await database.transaction(action, pause);
    if (row !== undefined) return { changed: row.changed, at: row.at };
  }
  throw new StoreUnavailableError(action);
}

/** Ends a pause in a transaction; its statement always answers. */
export async function resumed(
  database: Database,
  action: string,
  resume: (session: Session) => Promise<ResumedRow | undefined>,
): Promise<PauseResult> {
  const row = await database.transaction(action, resume);
  if (row === undefined) throw new TypeError('A resume gave no answer.');
  return { changed: row.changed, at: row.at };
}
