import { DataSource } from 'typeorm';
import { storeError } from './database/store-errors.js';

const POOL_SIZE = 4;
const CONNECT_MS = 10_000;

/**
 * A data source of our own with a few connections, where no application lends its one. Whoever asks for it destroys it.
 * @param action What it is for, in errors.
 * @throws StoreUnavailableError when the database cannot be reached.
 */
export async function ownDataSource(url: string, action: string): Promise<DataSource> {
  try {
    const options = { type: 'postgres', url, poolSize: POOL_SIZE, connectTimeoutMS: CONNECT_MS } as const;
    return await new DataSource(options).initialize();
  } catch (error) {
    throw storeError(error, action);
  }
}
