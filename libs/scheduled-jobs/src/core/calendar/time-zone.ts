import { DAY_SECONDS } from './civil-date.js';
import { FIRST_INSTANT, LAST_INSTANT } from './instant-range.js';

/** A stretch of time without a change of offset. Instants and wall times are in seconds since 1970-01-01 00:00. */
export interface ZoneSpan {
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  /** Seconds east of UTC. */
  readonly offset: number;
  /** The wall times that the change at `from` leaves out, `until` exclusive; null when there is no gap at `from`. */
  readonly gap: { readonly from: number; readonly until: number; readonly offsetBefore: number } | null;
  /** Wall times of this span below this one were shown before, in the first pass of a fold; −Infinity without a fold. */
  readonly repeatedUntil: number;
  /** Wall times of this span from here on are shown again after it; Infinity without a fold. */
  readonly repeatsFrom: number;
}

interface OffsetChange {
  readonly at: number;
  readonly before: number;
  readonly after: number;
}

const BLOCK_SECONDS = 96 * DAY_SECONDS;
/** The shortest stretch between two changes in zone data is seven days: a change and its reversal never hide in a step. */
const STEP_SECONDS = 6 * DAY_SECONDS;
/** Longer than the longest fold, a whole day (Samoa 1892): a fold outside a block can reach into it. */
const MARGIN_SECONDS = 2 * DAY_SECONDS;

/** Names without a slash that look like abbreviations but are zones of the tz database. */
const SHORT_NAMES = new Set('UTC GMT UCT EST MST HST CET EET MET WET PRC ROC ROK'.split(' '));
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
const OFFSET_LIKE = /^(UTC|GMT)?[+-]\d/i;
const FIX = 'Use a name of the tz database such as "Europe/Berlin", "Asia/Shanghai" or "UTC".';

/** Why a time zone name cannot be used, with what to write instead; null = it can. */
export function timeZoneProblem(name: unknown): string | null {
  if (name === undefined || name === null || name === '') return `a time zone is required. ${FIX}`;
  if (typeof name !== 'string') return `the time zone must be a string, got ${typeof name}. ${FIX}`;
  const shown = JSON.stringify(name.slice(0, 60));
  if (/\s/.test(name)) return `the time zone ${shown} contains a blank. Remove it.`;
  if (OFFSET_LIKE.test(name) && !/^GMT[+-]0$/.test(name)) {
    return `the time zone ${shown} is an offset, which knows no daylight saving time. ${FIX} A fixed offset is written as "Etc/GMT-8" (east of UTC is minus).`;
  }
  return isKnownZone(name) ? null : `there is no time zone ${shown} in this process's zone data. ${FIX}`;
}

/** Abbreviations such as `BST` are refused: the runtime takes some for zones that nobody means (Bangladesh). */
function isKnownZone(name: string): boolean {
  if (!NAME.test(name) || /^SystemV\//i.test(name)) return false;
  if (/^[A-Za-z]{3}$/.test(name) && !SHORT_NAMES.has(name.toUpperCase()) && !/^zulu$/i.test(name)) return false;
  try {
    TimeZone.named(name); // kept: the check of 10,000 schedules costs one formatter per zone
    return true;
  } catch {
    return false;
  }
}

/** Tells whether two names are spellings of one zone. */
export const isSameZone = (a: string, b: string): boolean => a === b || resolvedName(a) === resolvedName(b);

const resolvedName = (name: string): string => (isKnownZone(name) ? TimeZone.named(name).resolvedName : name);

const offsetFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });

/**
 * A time zone's offsets and their changes, read from the runtime's zone data (`Intl`) and never from the process's own
 * zone. Changes are searched in blocks of 96 days, once per block: samples every six days, then bisection.
 */
export class TimeZone {
  /** One formatter and one set of blocks per zone and process: a formatter costs 100 µs and some 50 kB. */
  private static readonly known = new Map<string, TimeZone>();

  private readonly blocks = new Map<number, readonly ZoneSpan[]>();
  /** The name under which this process knows the zone; two spellings of one zone have the same. */
  readonly resolvedName: string;

  private constructor(
    /** As written. */
    readonly name: string,
    private readonly format: Intl.DateTimeFormat,
  ) {
    this.resolvedName = format.resolvedOptions().timeZone;
  }

  /** The zone of a name that `timeZoneProblem` lets pass. @throws RangeError for other names. */
  static named(name: string): TimeZone {
    const zone = TimeZone.known.get(name) ?? new TimeZone(name, offsetFormat(name));
    TimeZone.known.set(name, zone);
    return zone;
  }

  /** The span that an instant lies in. Spans also end where a block ends, without a change of offset. */
  spanAt(instant: number): ZoneSpan {
    const spans = this.block(Math.floor(instant / BLOCK_SECONDS));
    let index = spans.length - 1;
    while (index > 0 && instant < (spans[index] as ZoneSpan).from) index -= 1;
    return spans[index] as ZoneSpan;
  }

  /** The first instant at which the wall clock shows `wall` or, when a gap swallows it, a later time. */
  firstInstantOf(wall: number): number {
    for (let span = this.spanAt(wall - DAY_SECONDS); ; span = this.spanAt(span.until)) {
      const instant = Math.max(span.from, wall - span.offset);
      if (instant < span.until) return instant;
    }
  }

  private block(index: number): readonly ZoneSpan[] {
    const known = this.blocks.get(index);
    if (known !== undefined) return known;
    const spans = this.spansOfBlock(index * BLOCK_SECONDS);
    this.blocks.set(index, spans);
    return spans;
  }

  private spansOfBlock(start: number): readonly ZoneSpan[] {
    const end = start + BLOCK_SECONDS;
    const changes = this.changesIn(start - MARGIN_SECONDS, end + MARGIN_SECONDS);
    const bounds = [start, ...changes.map(({ at }) => at).filter((at) => at > start && at < end), end];
    return bounds.slice(0, -1).map((from, index) => {
      const until = bounds[index + 1] ?? end;
      return spanBetween({ from, until, offset: this.offsetAt(from) }, changes);
    });
  }

  private changesIn(from: number, until: number): readonly OffsetChange[] {
    const changes: OffsetChange[] = [];
    let before = this.offsetAt(from);
    for (let step = from; step < until; step += STEP_SECONDS) {
      const stepEnd = Math.min(step + STEP_SECONDS, until);
      const after = this.offsetAt(stepEnd);
      if (after !== before) changes.push({ at: this.changeIn(step, stepEnd, before), before, after });
      before = after;
    }
    return changes;
  }

  /** The first instant after `from` at which the offset is no longer `before`; at `until` it is known to differ. */
  private changeIn(from: number, until: number, before: number): number {
    let [same, changed] = [from, until];
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (this.offsetAt(middle) === before) same = middle;
      else changed = middle;
    }
    return changed;
  }

  private offsetAt(instant: number): number {
    const clamped = Math.min(Math.max(instant, FIRST_INSTANT - MARGIN_SECONDS), LAST_INSTANT + MARGIN_SECONDS);
    return parseOffset(this.format.format(clamped * 1_000));
  }
}

function spanBetween(span: Pick<ZoneSpan, 'from' | 'until' | 'offset'>, changes: readonly OffsetChange[]): ZoneSpan {
  const last = changes.findLast(({ at }) => at <= span.from);
  const next = changes.find(({ at }) => at >= span.until);
  const isGap = last !== undefined && last.at === span.from && last.after > last.before;
  return {
    ...span,
    gap: isGap ? { from: last.at + last.before, until: last.at + last.after, offsetBefore: last.before } : null,
    repeatedUntil: last !== undefined && last.after < last.before ? last.at + last.before : Number.NEGATIVE_INFINITY,
    repeatsFrom: next !== undefined && next.after < next.before ? next.at + next.after : Number.POSITIVE_INFINITY,
  };
}

/** Reads `…, GMT-04:56:02` in seconds east of UTC; plain `GMT` is 0. */
function parseOffset(text: string): number {
  const match = /GMT(?:([+\u2212-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (match === null) throw new RangeError(`The runtime gave a date without an offset: ${JSON.stringify(text)}.`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const total = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return sign === undefined || sign === '+' ? total : -total;
}
