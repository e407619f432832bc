// Runs measures: contestants take turns, and what fails costs no more than its own figures.
import { Bench } from './bench.mjs';
import { FIGURES, shown } from './figures.mjs';

/** A contestant that has failed so often is left out. */
const FAILURES_AT_MOST = 2;

/**
 * @typedef {import('./measure.mjs').Measure} Measure
 * @typedef {import('./measure.mjs').Contestant} Contestant
 * @typedef {import('./measure.mjs').Figures} Figures
 *
 * @typedef {object} Runs of one measure
 * @property {Measure} measure
 * @property {readonly Contestant[]} contestants
 * @property {readonly Readonly<Record<string, Figures>>[]} repetitions figures by contestant
 * @property {readonly string[]} failures
 *
 * @typedef {object} Plan
 * @property {readonly Measure[]} measures
 * @property {number} repetitions
 * @property {boolean} isOursOnly
 */

/**
 * @param {Plan} plan
 * @param {ConstructorParameters<typeof Bench>[0]} world
 * @param {{ readonly tell: (line: string) => void, readonly signal?: AbortSignal }} options `signal`: nothing new is begun
 * @returns {Promise<readonly Runs[]>}
 */
export async function runMeasures({ measures, repetitions, isOursOnly }, world, { tell, signal }) {
  const all = [];
  for (const measure of measures) {
    if (signal?.aborted === true) break;
    const contestants = measure.contestants.filter(({ side }) => side === 'ours' || !isOursOnly);
    const turns = new Turns(measure, contestants, { world, tell, signal });
    all.push(await turns.take(Math.min(repetitions, measure.repetitions ?? repetitions)));
  }
  return all;
}

/**
 * Seconds that a plan takes, roughly.
 * @param {Plan} plan
 * @param {import('./sizes.mjs').Sizes} sizes
 */
export function estimatedSeconds({ measures, repetitions, isOursOnly }, sizes) {
  return measures.reduce((sum, measure) => {
    const contestants = measure.contestants.filter(({ side }) => side === 'ours' || !isOursOnly).length;
    return sum + measure.seconds(sizes) * contestants * Math.min(repetitions, measure.repetitions ?? repetitions);
  }, 0);
}

class Turns {
  /**
   * @param {Measure} measure
   * @param {readonly Contestant[]} contestants
   * @param {{ readonly world: ConstructorParameters<typeof Bench>[0], readonly tell: (line: string) => void, readonly signal: AbortSignal | undefined }} context
   */
  constructor(measure, contestants, context) {
    this.measure = measure;
    this.contestants = contestants;
    this.context = context;
    /** @type {Map<string, readonly string[]>} */
    this.failures = new Map();
  }

  /**
   * @param {number} repetitions
   * @returns {Promise<Runs>}
   */
  async take(repetitions) {
    const { measure, contestants, context } = this;
    const shared = new Bench(context.world);
    const done = [];
    try {
      const prepared = await measure.prepare?.(shared);
      for (let repetition = 0; repetition < repetitions; repetition++) {
        done.push(await this.repetition(`${measure.name} ${repetition + 1}/${repetitions}`, repetition, prepared));
      }
    } catch (error) {
      this.note('preparation', error);
    } finally {
      await shared.close().catch((error) => this.note('cleaning up', error));
    }
    return { measure, contestants, repetitions: done, failures: [...this.failures.values()].flat() };
  }

  /**
   * Each contestant once; another one begins each time.
   * @param {string} title
   * @param {number} index
   * @param {unknown} prepared
   */
  async repetition(title, index, prepared) {
    /** @type {Record<string, Figures>} */
    const figures = {};
    for (const offset of this.contestants.keys()) {
      const contestant = this.contestants[(index + offset) % this.contestants.length];
      if (contestant === undefined || this.isOut(contestant)) continue;
      const found = await this.turn(contestant, prepared);
      if (found === null) continue;
      figures[contestant.name] = found;
      this.context.tell(`${title} ${contestant.name}: ${headline(found)}`);
    }
    return figures;
  }

  /** @param {Contestant} contestant */
  isOut({ name }) {
    return this.context.signal?.aborted === true || (this.failures.get(name)?.length ?? 0) >= FAILURES_AT_MOST;
  }

  /**
   * @param {Contestant} contestant
   * @param {unknown} prepared
   * @returns {Promise<Figures | null>}
   */
  async turn(contestant, prepared) {
    const bench = new Bench(this.context.world);
    try {
      return await this.measure.run(bench, contestant, prepared);
    } catch (error) {
      this.note(contestant.name, error);
      return null;
    } finally {
      await bench.close().catch((error) => this.note(contestant.name, error));
    }
  }

  /**
   * @param {string} name
   * @param {unknown} error
   */
  note(name, error) {
    const text = `${this.measure.name}, ${name}: ${error instanceof Error ? error.message : String(error)}`;
    this.failures.set(name, [...(this.failures.get(name) ?? []), text]);
    this.context.tell(`FAILED ${text}`);
  }
}

/** @param {Figures} figures */
const headline = (figures) =>
  Object.entries(figures)
    .slice(0, 2)
    .map(([name, value]) => `${FIGURES[name]?.label ?? name} ${shown(value, FIGURES[name]?.digits ?? 2)}`)
    .join(', ');
