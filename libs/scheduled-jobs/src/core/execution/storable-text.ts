// A surrogate that is not half of a pair; pairs are one code point here and do not match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Why PostgreSQL cannot store a text; null = it can. */
export function textProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'contains U+0000, which PostgreSQL cannot store';
  return LONE_SURROGATE.test(text) ? 'contains half of a surrogate pair' : null;
}
