/** A count with its thousands apart: `1,234,567`. */
export const countText = (count: number): string => count.toLocaleString('en');

/** A measured number with three digits that count, written out: `0.0217`, `17,100`. */
export const measureText = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });
