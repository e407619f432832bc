import type { TestLedger } from './ledger.js';

/** Tables of an application that test jobs write to. */
export async function createBusinessTables(ledger: TestLedger): Promise<void> {
  await ledger.sql(`
    create table public.effects (
      id bigint generated always as identity primary key,
      key text not null, attempt int not null, lease_token bigint not null, pid int not null,
      at timestamptz not null default clock_timestamp())`);
  await ledger.sql(`
    create table public.accounts (id int primary key, balance int not null default 0, touched_by int[] not null default '{}')`);
}

export async function resetBusinessTables(ledger: TestLedger, accounts: number): Promise<void> {
  await ledger.sql('truncate public.effects, public.accounts');
  await ledger.sql('insert into public.accounts (id) select generate_series(1, $1::int)', [accounts]);
}
