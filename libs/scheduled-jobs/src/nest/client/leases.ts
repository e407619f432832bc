import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { HOUR_MS, SECOND_MS, type Duration } from '../../core/duration.js';
import { InvalidRequestError } from '../../core/errors.js';
import { leaseNameProblem } from '../../core/job/lease-name.js';
import { OptionReader, shown } from '../../core/job/option-reader.js';
import { NamedLeases, type LeaseResult, type LeaseSection, type LeaseTiming } from '../../engine/named-leases.js';
import type { Stores } from '../../postgres/create-stores.js';
import { EngineEvents } from '../services/engine-events.js';
import { STORES } from '../tokens.js';

/** How a lease is asked for. */
export interface LeaseOptions {
  /**
   * How long the lease outlives a holder that died or froze, `1s` … `1h`. It is renewed whenever a third of that is over.
   * Default `30s`.
   */
  readonly ttl?: Duration;
  /** How long to go on asking, once a second, while somebody else holds it, at most `1h`. Default not at all. */
  readonly wait?: Duration;
}

/** A held lease as the section that runs under it sees it. */
export type NamedLease = LeaseSection<EntityManager>;

const LEASE_DEFAULTS = { ttlMs: 30 * SECOND_MS, waitMs: 0 } as const satisfies LeaseTiming;

/**
 * Critical sections of the application: of all processes that use this ledger, one at a time holds a name.
 *
 * A lease is a right for a time, not a lock: a process that freezes for longer than the `ttl` may wake while another one
 * is in the section. Its signal tells it, and what it does in the database is safe if its transaction ends with
 * `lease.fence(manager)`.
 */
@Injectable()
export class Leases {
  private readonly leases: NamedLeases<EntityManager>;

  constructor(@Inject(STORES) stores: Stores, events: EngineEvents) {
    this.leases = new NamedLeases({ store: stores.leases, clock: stores.clock, emit: events.emit });
  }

  /**
   * Runs `section` while it holds the lease of that name, and frees it when `section` has settled. A lease is not
   * re-entrant: inside the section the same name is held by somebody else. Renewals use the pool of the data source, so
   * leave one connection to them.
   * @param name 1–200 characters; names that begin with `nestjs-scheduled-jobs:` are reserved.
   * @returns The value of `section`; or, when somebody else holds the lease, who and until when.
   * @throws InvalidRequestError before anything is asked; what `section` throws; NamedLeaseLostError, once `section` has
   * settled, when the lease was lost meanwhile, even if it gave a value; StoreUnavailableError when the database cannot be
   * asked for the lease.
   */
  async withLease<T>(
    name: string,
    options: LeaseOptions,
    section: (lease: NamedLease) => Promise<T> | T,
  ): Promise<LeaseResult<T>> {
    const timing = checkedTiming(name, options, section);
    return this.leases.withLease(name, timing, async (lease) =>
      section({ ...lease, fence: (manager) => fence(lease, manager) }),
    );
  }
}

function checkedTiming(name: unknown, options: unknown, section: unknown): LeaseTiming {
  const problems: string[] = [];
  const unusable = leaseNameProblem(name);
  if (unusable !== null) problems.push(unusable);
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(['ttl', 'wait']);
  const timing = {
    ttlMs: reader.durationMs('ttl', LEASE_DEFAULTS.ttlMs, { min: SECOND_MS, max: HOUR_MS }),
    waitMs: reader.durationMs('wait', LEASE_DEFAULTS.waitMs, { max: HOUR_MS }),
  };
  if (typeof section !== 'function') problems.push(`the section must be a function, got ${shown(section)}`);
  if (problems.length > 0) throw new InvalidRequestError(`use the lease ${shown(name)}`, problems);
  return timing;
}

/** @throws InvalidRequestError for a manager outside a transaction, where the check would protect nothing. */
async function fence(lease: NamedLease, manager: EntityManager): Promise<void> {
  const { queryRunner } = manager;
  if (queryRunner !== undefined && !queryRunner.isReleased) return await lease.fence(manager);
  throw new InvalidRequestError(`fence the lease ${shown(lease.name)}`, [
    'manager is not in a transaction. Pass the EntityManager that dataSource.transaction() hands out',
  ]);
}
