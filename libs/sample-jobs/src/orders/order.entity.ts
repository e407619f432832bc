import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An order of the shop. */
@Entity({ schema: 'samples', name: 'orders', synchronize: false })
export class Order {
  @PrimaryColumn({ name: 'id', type: 'text' })
  readonly id: string;

  @Column({ name: 'placed_at', type: 'timestamptz' })
  readonly placedAt: Date;

  @Column({ name: 'amount_cents', type: 'integer' })
  readonly amountCents: number;
}
