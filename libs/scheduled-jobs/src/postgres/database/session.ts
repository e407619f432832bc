import type { QueryRunner } from 'typeorm';
import { COLUMN_TYPES, parameter } from './column-values.js';
import { needsNewConnection } from './store-errors.js';

/** How long a statement may go without an answer, milliseconds; each element of a list that is bound to it adds one. */
export const ANSWER_MS = 15_000;

/** One connection, inside whatever transaction it is in. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

/** The part of the driver's client that we use. */
interface Client {
  readonly connection: { readonly stream: Stream };
  query(config: object): Promise<Answer>;
  on(event: 'error', listener: (error: unknown) => void): void;
  off(event: 'error', listener: (error: unknown) => void): void;
}

interface Answer {
  rows: readonly unknown[];
}

interface Stream {
  readonly closed: boolean;
  once(event: 'close', listener: () => void): void;
  destroy(): void;
}

const NO_ROWS: readonly unknown[] = [];

/**
 * Sends statements past the ORM, with parsers of our own, so that no setting of the host application changes a result.
 * Statements without a name are planned for the values at hand, and work through a transaction pooler.
 *
 * A connection that gives no answer in time, because its other end vanished without a word, is destroyed, and so is one
 * to a server that has become read-only: the next statement gets a new one.
 */
export class ClientSession implements Session {
  private constructor(
    private readonly client: Client,
    private readonly answerMs: number,
  ) {}

  /**
   * The session of a runner's connection, which the runner takes from its pool if it has none yet.
   * @param answerMs How long a statement may take, milliseconds; 0 = as long as the host application allows.
   */
  static async of(runner: QueryRunner, answerMs: number): Promise<ClientSession> {
    return new ClientSession((await runner.connect()) as Client, answerMs);
  }

  /** @param name Under which the connection keeps the statement's plan; default none is kept. */
  async query<Row>(text: string, values: readonly unknown[] = [], name?: string): Promise<readonly Row[]> {
    const bound = values.map(parameter);
    const query_timeout = this.answerMs === 0 ? 0 : this.answerMs + longestList(values);
    try {
      const answer = await this.client.query({ name, text, values: bound, types: COLUMN_TYPES, query_timeout });
      const { rows } = answer;
      // Answers outlive their statements: with its rows, each would hold all it has told until the next full collection.
      answer.rows = NO_ROWS;
      return rows as readonly Row[];
    } catch (error) {
      if (this.answerMs > 0 && needsNewConnection(error)) await this.discard();
      throw error;
    }
  }

  /** Waits for a statement that the ORM sends; without an answer in time the connection is destroyed, which fails it. */
  async answered<T>(answerMs: number, statement: () => Promise<T>): Promise<T> {
    const late = setTimeout(() => void this.discard(), answerMs);
    try {
      return await statement();
    } finally {
      clearTimeout(late);
    }
  }

  /** Tells of an error that ends the connection between two statements. Call the answer to hear no more. */
  onConnectionError(listener: (error: unknown) => void): () => void {
    this.client.on('error', listener);
    return () => this.client.off('error', listener);
  }

  /** Destroys the connection without a word to its other end; its pool has forgotten it when this resolves. */
  async discard(): Promise<void> {
    const { stream } = this.client.connection;
    if (stream.closed) return;
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.destroy();
    });
  }
}

const longestList = (values: readonly unknown[]): number =>
  Math.max(0, ...values.map((value) => (Array.isArray(value) ? value.length : 0)));
