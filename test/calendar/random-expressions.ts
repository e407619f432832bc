/** Expressions of every form that the calendar accepts, none of them without a date that comes. */

interface RandomField {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = 'JAN,FEB,MAR,APR,MAY,JUN,JUL,AUG,SEP,OCT,NOV,DEC'.split(',');
const WEEKDAYS = 'SUN,MON,TUE,WED,THU,FRI,SAT'.split(',');
const SIXTIETH: RandomField = { min: 0, max: 59 };

/** @param random Numbers below 1; the same ones make the same expression. */
export class RandomExpressions {
  constructor(private readonly random: () => number) {}

  /** Five fields, or six with the second first. `hours`: between these, where a test wants them near a change. */
  next(hours: RandomField = { min: 0, max: 23 }): string {
    const second = this.random() < 0.25 ? [this.field(SIXTIETH)] : [];
    const hour = this.random() < 0.2 ? this.field({ min: 0, max: 23 }) : this.field(hours);
    return [...second, this.field(SIXTIETH), hour, ...this.dayFields()].join(' ');
  }

  private dayFields(): readonly string[] {
    const month = this.random() < 0.6 ? '*' : this.field({ min: 1, max: 12, names: MONTHS });
    const date = this.random() < 0.5 ? this.oneOf(['*', '?']) : this.date();
    const weekday = this.random() < 0.5 ? this.oneOf(['*', '?']) : this.weekday();
    return [date, month, weekday];
  }

  private date(): string {
    const day = this.number({ min: 1, max: 28 });
    // the 29th to the 31st beside others: some months have none of them
    const late = `${day},${this.number({ min: 29, max: 31 })}`;
    return this.oneOf([this.field({ min: 1, max: 28 }), `${day}`, late, 'L', 'LW', `${day}W`, `${day},L`]);
  }

  private weekday(): string {
    const day = this.number({ min: 0, max: 7 });
    const special = [`${day}#${this.number({ min: 1, max: 4 })}`, `${day}L`, `${day % 7},${(day + 3) % 7}`, 'FRI-SUN'];
    return this.oneOf([this.field({ min: 0, max: 6, names: WEEKDAYS }), `${day}`, this.oneOf(special)]);
  }

  private field(field: RandomField): string {
    const { min, max, names } = field;
    const [a, b] = [this.number(field), this.number(field)];
    const range = `${Math.min(a, b)}-${Math.max(a, b)}`;
    const step = this.number({ min: 1, max: Math.max(1, max - min) });
    const name = names?.[a - min] ?? `${a}`;
    return this.oneOf([
      `${a}`,
      name,
      `${a},${b}`,
      range,
      `${a},${range}`,
      '*',
      `*/${step}`,
      `${a}/${step}`,
      `${range}/${step}`,
    ]);
  }

  private number({ min, max }: RandomField): number {
    return min + Math.floor(this.random() * (max - min + 1));
  }

  private oneOf(texts: readonly string[]): string {
    return texts[Math.floor(this.random() * texts.length)] ?? '*';
  }
}
