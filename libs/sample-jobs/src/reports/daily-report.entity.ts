import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was sold on one business date. */
@Entity({ schema: 'samples', name: 'daily_reports', synchronize: false })
export class DailyReport {
  /** Such as `2026-08-14`; one report for each. */
  @PrimaryColumn({ name: 'business_date', type: 'date' })
  readonly businessDate: string;

  @Column({ name: 'orders', type: 'integer' })
  readonly orders: number;

  @Column({ name: 'amount_cents', type: 'bigint' })
  readonly amountCents: string;
}
