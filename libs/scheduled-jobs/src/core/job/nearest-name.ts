/** The number of single-letter edits between two words, case ignored. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1]?.toLowerCase() === b[j - 1]?.toLowerCase() ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known name a misspelt one probably means; null when none is close. Looks at 1,000 names of 100 letters at most. */
export function nearest(word: string, names: readonly string[]): string | null {
  if (word.length > 100) return null;
  const ranked = names
    .slice(0, 1_000)
    .map((name) => ({ name, edits: distance(word, name.slice(0, 100)) }))
    .toSorted((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.max(1, Math.floor(word.length / 3)) ? best.name : null;
}
