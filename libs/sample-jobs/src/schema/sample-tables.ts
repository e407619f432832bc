/** The tables of the samples and their first rows, as statements that may run again. */
export const SAMPLE_TABLES: readonly string[] = [
  `create schema if not exists samples`,

  `create table if not exists samples.accounts (
     id integer primary key,
     points bigint not null default 0
   )`,
  `insert into samples.accounts (id)
   select n from generate_series(1, 10000) as n
   on conflict do nothing`,

  `create table if not exists samples.orders (
     id text primary key,
     placed_at timestamptz not null,
     amount_cents integer not null
   )`,
  `create index if not exists orders_placed_at on samples.orders (placed_at)`,
  // an order every 20 minutes of the last 16 days; its id comes from its time, so that the next start adds only new ones
  `insert into samples.orders (id, placed_at, amount_cents)
   select 'shop-' || extract(epoch from placed_at)::bigint,
          placed_at,
          500 + extract(epoch from placed_at)::bigint / 1200 * 7919 % 9500
   from generate_series(
     date_trunc('hour', now() - interval '16 days'), now(), interval '20 minutes'
   ) as placed_at
   on conflict do nothing`,

  `create table if not exists samples.daily_reports (
     business_date date primary key,
     orders integer not null,
     amount_cents bigint not null,
     written_at timestamptz not null default now()
   )`,

  `create table if not exists samples.exports (
     project_id text not null,
     version integer not null,
     requested_at timestamptz not null default now(),
     pdf bytea,
     primary key (project_id, version)
   )`,
];
