const LEAST_BITS = 6;
/** Spreads numbers that follow one another: neighbours in a row would have to be walked past. */
const SPREAD = 0x9e3779b1;
/** Marks a free place; keys are whole numbers from 0 on. */
const FREE = -1;

/**
 * A map from whole numbers to what comes and goes by the thousand each second, as executions of short jobs do.
 *
 * A Map of the platform moves to a new table each time that it has no room left, deleted entries included, and the table that
 * it leaves points to the next one. Once such a table is old, collections of young garbage take everything in it for alive,
 * and in all tables after it: almost no execution would be collected before it has been copied twice. Here the same places
 * are used again, and a larger table is only needed for more entries at the same time.
 */
export class ChurnMap<V> {
  private bits = LEAST_BITS;
  private keys = freeKeys(LEAST_BITS);
  private entries = freeEntries<V>(LEAST_BITS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  get(key: number): V | undefined {
    return this.entries[this.placeOf(key)];
  }

  has(key: number): boolean {
    return this.keys[this.placeOf(key)] === key;
  }

  set(key: number, value: V): void {
    if (2 * (this.count + 1) > this.keys.length) this.grow();
    const place = this.placeOf(key);
    if (this.keys[place] === FREE) this.count++;
    this.keys[place] = key;
    this.entries[place] = value;
  }

  /** Tells whether the key was there. */
  delete(key: number): boolean {
    let hole = this.placeOf(key);
    if (this.keys[hole] === FREE) return false;
    const mask = this.keys.length - 1;
    // Whoever went past the hole to find a place moves into it.
    for (let place = (hole + 1) & mask; this.keys[place] !== FREE; place = (place + 1) & mask) {
      const strayed = (place - this.homeOf(this.keys[place] as number)) & mask;
      if (strayed < ((place - hole) & mask)) continue;
      this.move(place, hole);
      hole = place;
    }
    this.keys[hole] = FREE;
    this.entries[hole] = undefined;
    this.count--;
    return true;
  }

  clear(): void {
    this.keys.fill(FREE);
    this.entries.fill(undefined);
    this.count = 0;
  }

  /** What is there now, by ascending keys. */
  values(): V[] {
    const keys = this.keys.filter((key) => key !== FREE).toSorted();
    return Array.from(keys, (key) => this.get(key) as V);
  }

  /** Where the key is, or where it would go. */
  private placeOf(key: number): number {
    const { keys } = this;
    const mask = keys.length - 1;
    let place = this.homeOf(key);
    while (keys[place] !== key && keys[place] !== FREE) place = (place + 1) & mask;
    return place;
  }

  private homeOf(key: number): number {
    return Math.imul(key, SPREAD) >>> (32 - this.bits);
  }

  private move(from: number, to: number): void {
    this.keys[to] = this.keys[from] as number;
    this.entries[to] = this.entries[from];
  }

  private grow(): void {
    const { keys, entries } = this;
    this.bits++;
    this.keys = freeKeys(this.bits);
    this.entries = freeEntries(this.bits);
    for (const [from, key] of keys.entries()) {
      if (key === FREE) continue;
      const place = this.placeOf(key);
      this.keys[place] = key;
      this.entries[place] = entries[from];
    }
  }
}

const freeKeys = (bits: number): Float64Array => new Float64Array(2 ** bits).fill(FREE);
const freeEntries = <V>(bits: number): (V | undefined)[] => Array.from({ length: 2 ** bits }, () => undefined);
