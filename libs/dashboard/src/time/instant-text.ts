/** An instant on the wall clock of a zone. */
export interface InstantText {
  /** `2026-08-14`. */
  readonly date: string;
  /** `14:03:22`. */
  readonly time: string;
  /** `UTC`, or the offset such as `+08:00`. */
  readonly offset: string;
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  });
  formats.set(timeZone, format);
  return format;
}

/** Whether this browser knows a zone: the server's data may be newer. */
export function isKnownZone(timeZone: string): boolean {
  try {
    return formatOf(timeZone) !== undefined;
  } catch {
    return false;
  }
}

/** What the clocks of a zone show at an instant. The zone must be known. */
export function instantText(at: number, timeZone: string): InstantText {
  const parts = formatOf(timeZone).formatToParts(at);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  const offset = of('timeZoneName').replace('GMT', '');
  return {
    date: `${of('year')}-${of('month')}-${of('day')}`,
    time: `${of('hour')}:${of('minute')}:${of('second')}`,
    offset: timeZone === 'UTC' ? 'UTC' : offset === '' ? '+00:00' : offset,
  };
}
