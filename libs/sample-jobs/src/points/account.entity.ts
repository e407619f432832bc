import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An account that collects points. */
@Entity({ schema: 'samples', name: 'accounts', synchronize: false })
export class Account {
  @PrimaryColumn({ name: 'id', type: 'integer' })
  readonly id: number;

  @Column({ name: 'points', type: 'bigint' })
  readonly points: string;
}
