/** A count with its thousands apart: `1,234,567`. */
export const countText = (count: number): string => count.toLocaleString('en');

/** A measured number with three digits that count, written out: `0.0217`, `17,100`. */
export const measureText = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** A count with what is counted: `1 attempt`, `1,234 attempts`. */
export const numberedText = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
