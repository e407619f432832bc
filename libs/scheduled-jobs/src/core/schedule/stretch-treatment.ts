import type { SkippedRangeReason } from '../execution/execution-state.js';
import type { Suspension } from '../ports/suspension-store.js';
import type { VersionStretch } from './version-stretches.js';

/** What becomes of the occurrences of a stretch. */
export interface Treatment {
  /** `catch-up`: the policy decides; `leave-out`: none is executed; `wait`: nothing is decided before the stretch ends. */
  readonly decision: 'catch-up' | 'leave-out' | 'wait';
  /** Why occurrences of this stretch are left out. */
  readonly reason: SkippedRangeReason;
  readonly actor: string | null;
}

/** A stretch of time whose occurrences are all treated alike: after `after`, up to and including `until`. */
export interface TreatedStretch {
  /** Null = since ever. */
  readonly after: Date | null;
  /** Null = for ever. */
  readonly until: Date | null;
  readonly treatment: Treatment;
}

const ENABLED: Treatment = { decision: 'catch-up', reason: 'catch-up', actor: null };
const DISABLED: Treatment = { decision: 'leave-out', reason: 'disabled', actor: null };

/**
 * Cuts time where a version or a suspension begins or ends, and says of each stretch how its occurrences are treated;
 * neighbours that are treated alike are one. Where several things hold, a suspension that goes on comes first, then a
 * pause whose periods are left out, then a disabled version; else the catch-up policy decides, as after an outage: in a
 * pause that asked for it, and in orphanhood, which nobody wanted.
 *
 * @param versions In order, each beginning where the one before ends.
 */
export function treatedStretches(
  versions: readonly VersionStretch[],
  suspensions: readonly Suspension[],
): readonly TreatedStretch[] {
  const cuts = cutsOf(versions, suspensions);
  const treated: TreatedStretch[] = [];
  for (const [index, after] of [null, ...cuts].entries()) {
    const until = cuts[index] ?? null;
    const treatment = treatmentOf({ after, until }, versions, suspensions);
    const last = treated.at(-1);
    if (last !== undefined && isAlike(last.treatment, treatment)) treated[treated.length - 1] = { ...last, until };
    else treated.push({ after, until, treatment });
  }
  return treated;
}

/** The instants at which something changes, in order, each once. */
function cutsOf(versions: readonly VersionStretch[], suspensions: readonly Suspension[]): readonly Date[] {
  const instants = [
    ...versions.map(({ until }) => until),
    ...suspensions.flatMap(({ from, to }) => [from, to]),
  ].flatMap((instant) => (instant === null ? [] : [instant.getTime()]));
  return [...new Set(instants)].toSorted((a, b) => a - b).map((instant) => new Date(instant));
}

type Bounds = Pick<TreatedStretch, 'after' | 'until'>;

function treatmentOf(
  bounds: Bounds,
  versions: readonly VersionStretch[],
  suspensions: readonly Suspension[],
): Treatment {
  const inForce = suspensions.filter(({ from, to }) => isWithin(bounds, { after: from, until: to }));
  const goingOn = inForce.find(({ to }) => to === null);
  if (goingOn !== undefined) return { decision: 'wait', reason: goingOn.kind, actor: goingOn.actor };
  const leftOut = inForce.find(({ kind, catchUp }) => kind === 'paused' && !catchUp);
  if (leftOut !== undefined) return { decision: 'leave-out', reason: 'paused', actor: leftOut.actor };
  if (versions.some((version) => version.isDisabled && isWithin(bounds, version))) return DISABLED;
  const caughtUp = inForce.find(({ kind }) => kind === 'paused') ?? inForce[0];
  return caughtUp === undefined ? ENABLED : { decision: 'catch-up', reason: caughtUp.kind, actor: caughtUp.actor };
}

const isAlike = (a: Treatment, b: Treatment): boolean =>
  a.decision === b.decision && a.reason === b.reason && a.actor === b.actor;

const isWithin = (inner: Bounds, outer: Bounds): boolean =>
  (outer.after === null || (inner.after !== null && outer.after <= inner.after)) &&
  (outer.until === null || (inner.until !== null && inner.until <= outer.until));
