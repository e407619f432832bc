import type { QueryRunner } from 'typeorm';
import { boundValue, COLUMN_TYPES } from './column-values.js';

/** One connection, inside whatever transaction it is in. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The part of the driver's client that we use. */
interface Client {
  query(config: object): Promise<{ readonly rows: readonly unknown[] }>;
  end(): Promise<void>;
}

/**
 * Sends statements past the ORM, with parsers of our own, so that no setting of the host application changes a result.
 * Statements have no name: they are planned for the values at hand, and work through a transaction pooler.
 */
export class ClientSession implements Session {
  private constructor(private readonly client: Client) {}

  /** The session of a runner's connection, which the runner takes from its pool if it has none yet. */
  static async of(runner: QueryRunner): Promise<ClientSession> {
    return new ClientSession((await runner.connect()) as Client);
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const result = await this.client.query({ text, values: values.map(boundValue), types: COLUMN_TYPES });
    return result.rows as readonly Row[];
  }

  /** Ends the connection, so that its pool does not hand it out again. */
  async discard(): Promise<void> {
    await this.client.end().catch(() => {});
  }
}
