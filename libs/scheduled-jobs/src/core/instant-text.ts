const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The instant that an RFC 3339 text with its offset names; null = none. JavaScript reads more than that: it takes 30 February
 * for 2 March, and "5Z" for a day in May.
 */
export function parseInstant(text: string): Date | null {
  const [, year, month, day] = RFC_3339.exec(text) ?? [];
  const instant = new Date(text);
  if (day === undefined || Number.isNaN(instant.getTime())) return null;
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) <= lastOfMonth ? instant : null;
}
