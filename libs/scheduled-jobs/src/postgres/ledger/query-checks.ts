/** Checks filters that are texts, and notes their problems. */
export function checkTexts<Name extends string>(
  query: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  problems: string[],
): void {
  for (const name of names) {
    const value = query[name];
    if (value !== undefined && (typeof value !== 'string' || value.length === 0 || value.includes('\u0000'))) {
      problems.push(`${name} must be a text that is not empty.`);
    }
  }
}

/** Checks filters that are instants, and notes their problems. */
export function checkInstants<Name extends string>(
  query: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  problems: string[],
): void {
  for (const name of names) {
    const value = query[name];
    if (value === undefined) continue;
    const year = value instanceof Date ? value.getUTCFullYear() : Number.NaN;
    if (!(year >= 1 && year <= 9999)) problems.push(`${name} must be an instant of the years 1 to 9999.`);
  }
}
