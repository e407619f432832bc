import type { AmbiguousTimes } from '../calendar/ambiguous-times.js';
import type { DstPolicy } from '../calendar/schedule-definition.js';

/**
 * What is to be said about named times that a zone leaves out or shows twice: one sentence for gaps and one for folds,
 * about the first change of each kind, with the dates of the others.
 */
export function ambiguityWarnings(
  found: readonly AmbiguousTimes[],
  { timeZone, dst }: { readonly timeZone: string; readonly dst: DstPolicy },
): readonly string[] {
  return (['gap', 'fold'] as const).flatMap((kind) => {
    const [first, ...later] = found.filter((times) => times.kind === kind);
    if (first === undefined) return [];
    const dates = later.map(({ date }) => date);
    const others = dates.length === 0 ? '' : ` The same on ${dates.join(', ')}.`;
    return [`${situation(first, timeZone)}: ${consequence(first)} (dst.${kind} "${dst[kind]}").${others}`];
  });
}

function situation({ kind, timesCount, times, date, clocks }: AmbiguousTimes, timeZone: string): string {
  const isOne = timesCount === 1;
  const more = timesCount > times.length ? ` and ${timesCount - times.length} more` : '';
  const gap = isOne ? 'does not exist' : 'do not exist';
  const fold = isOne ? 'comes twice' : 'come twice';
  const direction = kind === 'gap' ? 'forward' : 'back';
  return `${times.join(', ')}${more} ${kind === 'gap' ? gap : fold} on ${date} in ${timeZone}, where clocks go ${direction} from ${clocks.from} to ${clocks.to}`;
}

function consequence({ kind, timesCount, runsAt }: AmbiguousTimes): string {
  const isOne = timesCount === 1;
  if (runsAt.length === 0) return isOne ? 'it is recorded as skipped' : 'they are recorded as one that is skipped';
  if (kind === 'gap') return `${isOne ? 'it runs' : 'they run as one'} at ${runsAt.join()}`;
  const times = runsAt.length === 1 ? 'once' : 'twice';
  return `${isOne ? `it runs ${times}, at` : `each runs ${times}, the first at`} ${runsAt.join(' and ')}`;
}
