/** `problem`: something does not work or soon will not; `warning`: probably not meant. */
export type Level = 'ok' | 'warning' | 'problem';

/** What one look found, and what to do about it. */
export interface Finding {
  /** What was looked at, one word. */
  readonly check: string;
  readonly level: Level;
  readonly text: string;
  /** Null = nothing needs to be done. */
  readonly advice: string | null;
}

export const ok = (check: string, text: string): Finding => ({ check, level: 'ok', text, advice: null });
export const warning = (check: string, text: string, advice: string): Finding => ({
  check,
  level: 'warning',
  text,
  advice,
});
export const problem = (check: string, text: string, advice: string): Finding => ({
  check,
  level: 'problem',
  text,
  advice,
});

/** Some names in a sentence, not without end. */
export function listed(names: readonly string[], atMost = 10): string {
  const left = names.length - atMost;
  return left > 0 ? `${names.slice(0, atMost).join(', ')} and ${left} more` : names.join(', ');
}

/** How often each value occurs, the most frequent first. */
export function counted(values: readonly string[]): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}
