type Filters<Name extends string> = Readonly<Partial<Record<Name, unknown>>>;

/** Checks filters that are texts, and notes their problems. */
export function checkTexts<Name extends string>(
  query: Filters<Name>,
  names: readonly Name[],
  problems: string[],
): void {
  problems.push(...wrongOnes(query, names, isText).map((name) => `${name} must be a text that is not empty.`));
}

/** Checks the two ends of a window, and notes their problems. */
export function checkWindow<Name extends string>(
  query: Filters<Name>,
  [from, to]: readonly [Name, Name],
  problems: string[],
): void {
  const wrong = wrongOnes(query, [from, to], isInstant);
  problems.push(...wrong.map((name) => `${name} must be an instant of the years 1 to 9999.`));
  const [start, end] = [query[from], query[to]];
  // An empty answer would read as if nothing had happened.
  if (start instanceof Date && end instanceof Date && start >= end) problems.push(`${from} must be before ${to}.`);
}

/** Those that are given and not as they must be. */
const wrongOnes = <Name extends string>(
  query: Filters<Name>,
  names: readonly Name[],
  isRight: (value: unknown) => boolean,
): readonly Name[] => names.filter((name) => query[name] !== undefined && !isRight(query[name]));

const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 0 && !value.includes('\u0000');

function isInstant(value: unknown): boolean {
  const year = value instanceof Date ? value.getUTCFullYear() : Number.NaN;
  return year >= 1 && year <= 9999;
}
