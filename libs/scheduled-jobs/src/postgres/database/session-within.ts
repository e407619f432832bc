import type { EntityManager } from 'typeorm';
import { ANSWER_MS, ClientSession, type Session } from './session.js';

/** The session of a run's transaction, for statements of ours beside those of its handler. */
export async function sessionWithin({ queryRunner }: EntityManager): Promise<Session> {
  if (queryRunner === undefined) throw new TypeError('The transaction of a run has a connection.');
  return ClientSession.of(queryRunner, ANSWER_MS);
}
