import type { JSX } from 'preact';
import type { PeriodCell, PeriodState } from '../../api/answers.js';
import { mayOperate } from '../../api/session.js';
import { withQuery } from '../../router/route.js';
import { changeQuery, path, query } from '../../router/router.js';
import { BackfillDialog } from '../job/backfill-dialog.js';

/** In these states a period has no execution, nor had one: a backfill can make it. */
const HOLES: readonly PeriodState[] = ['missing', 'overdue', 'skipped-range'];
/** Where the address keeps which hole is being filled. */
const NONE = { hole: null, at: null };

/** The address under which the hole that a period is can be filled; null = it is none, or who looks may not. */
export function holePath({ state, scheduledFor }: PeriodCell, job: string): string | null {
  if (!HOLES.includes(state) || !mayOperate()) return null;
  return withQuery(path.value, { ...Object.fromEntries(query.value), hole: job, at: scheduledFor });
}

/** Fills the hole that the address names, by a backfill of its one period. */
export function HoleDialog({ onDone }: { readonly onDone: () => void }): JSX.Element | null {
  const [job, at] = [query.value.get('hole'), query.value.get('at')];
  if (job === null || at === null || Number.isNaN(Date.parse(at)) || !mayOperate()) return null;
  return (
    <BackfillDialog
      key={`${job} ${at}`}
      of={{ jobName: job }}
      at={at}
      onDone={onDone}
      onClose={() => changeQuery(NONE, { replace: true })}
    />
  );
}
