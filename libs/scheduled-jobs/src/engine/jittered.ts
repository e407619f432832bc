/**
 * A pause of about `ms`, a tenth more or less, in whole milliseconds: processes that started together do not stay together.
 * @param random 0 … 1; default `Math.random`.
 */
export const jittered = (ms: number, random: () => number = Math.random): number =>
  Math.round(ms * (0.9 + random() / 5));
