// Control characters but tab and line break, and marks that turn the direction of what follows: names and errors come from
// a database that others write, and a terminal obeys them.
const UNPRINTABLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g; // oxlint-disable-line no-control-regex

/** A text that a terminal shows as it is: what it would obey stands there as `\u001b`, which JSON reads as the same text. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
