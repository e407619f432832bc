// The PostgreSQL that measures run on: durable, as in production, and with room for its tables.

/** Over the settings of the launcher, which are those of tests. */
export const SERVER_SETTINGS = [
  'fsync=on',
  'full_page_writes=on',
  'synchronous_commit=on',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
];
