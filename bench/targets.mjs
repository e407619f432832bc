// What must hold, judged repetition by repetition, so that both numbers of a ratio were measured one after the other.

/** @typedef {import('./measure.mjs').Figures} Figures */

/**
 * @typedef {{ readonly atLeast: number } | { readonly atMost: number }} Bound
 *
 * @typedef {object} Target
 * @property {string} what
 * @property {Bound} bound of the median
 * @property {(figuresOf: (contestant: string) => Figures) => number} value of one repetition; NaN = something was not measured
 */

/**
 * One figure of one contestant.
 * @param {string} contestant
 * @param {string} figure
 * @param {Bound} bound
 * @returns {Target}
 */
export const limit = (contestant, figure, bound) => ({
  what: `${contestant}: ${figure}`,
  bound,
  value: (figuresOf) => figuresOf(contestant)[figure] ?? Number.NaN,
});

/**
 * A figure of one contestant divided by that of another, or of the best of several.
 * @param {string} figure
 * @param {readonly [string, ...(readonly string[])]} contestants the first against the others
 * @param {Bound} bound
 * @returns {Target}
 */
export const ratio = (figure, [one, ...others], bound) => ({
  what: `${figure}: ${one} ÷ ${others.length > 1 ? `the better of ${others.join(', ')}` : others.join('')}`,
  bound,
  value(figuresOf) {
    const better = 'atLeast' in bound ? Math.max : Math.min;
    const best = better(...others.map((name) => figuresOf(name)[figure] ?? Number.NaN));
    return (figuresOf(one)[figure] ?? Number.NaN) / best;
  },
});

/**
 * @param {Bound} bound
 * @param {number} value
 */
export const holds = (bound, value) => ('atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost);
