/**
 * Random numbers that a test can repeat: below 1, from a seed.
 * @param {number} seed
 * @returns {() => number}
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The seed of a test run: `TEST_SEED`, else a new one. Tests name it when they fail. */
export const testSeed = () => Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
