const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

/** The values of one field with, for each number, how many of them are smaller. */
class RankedValues {
  private readonly smaller = new Uint8Array(61);

  constructor(private readonly values: readonly number[]) {
    values.forEach((value, rank) => this.smaller.fill(rank + 1, value + 1));
  }

  get size(): number {
    return this.values.length;
  }

  rank(number: number): number {
    return this.smaller[number] ?? 0;
  }

  at(rank: number): number {
    return this.values[rank] ?? 0;
  }

  has(number: number): boolean {
    return this.values[this.rank(number)] === number;
  }
}

/**
 * The times of day of a schedule in order, addressed by rank: every hour has the same minutes and every minute the same
 * seconds, so ranks and times convert into each other without a list of up to 86,400 times.
 */
export class TimesOfDay {
  private readonly hours: RankedValues;
  private readonly minutes: RankedValues;
  private readonly seconds: RankedValues;

  /** Each list sorted, without doubles and not empty. */
  constructor(fields: { hours: readonly number[]; minutes: readonly number[]; seconds: readonly number[] }) {
    this.hours = new RankedValues(fields.hours);
    this.minutes = new RankedValues(fields.minutes);
    this.seconds = new RankedValues(fields.seconds);
  }

  /** Times per day, 1–86,400. */
  get count(): number {
    return this.hours.size * this.minutes.size * this.seconds.size;
  }

  /** How many times lie before a second of the day, 0–86,400. */
  countBefore(secondOfDay: number): number {
    const hour = Math.floor(secondOfDay / HOUR_SECONDS);
    const minute = Math.floor((secondOfDay % HOUR_SECONDS) / MINUTE_SECONDS);
    let rank = this.hours.rank(hour) * this.minutes.size;
    if (!this.hours.has(hour)) return rank * this.seconds.size;
    rank = (rank + this.minutes.rank(minute)) * this.seconds.size;
    return this.minutes.has(minute) ? rank + this.seconds.rank(secondOfDay % MINUTE_SECONDS) : rank;
  }

  /** The second of the day with this rank, counted from 0. */
  at(rank: number): number {
    const minuteRank = Math.floor(rank / this.seconds.size);
    const hour = this.hours.at(Math.floor(minuteRank / this.minutes.size));
    const minute = this.minutes.at(minuteRank % this.minutes.size);
    return hour * HOUR_SECONDS + minute * MINUTE_SECONDS + this.seconds.at(rank % this.seconds.size);
  }
}
