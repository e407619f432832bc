import type { DataSource } from 'typeorm';

const DRIVER_DEFAULT = 10;

/** The most connections that a data source opens to its main server. */
export function poolSizeOf(dataSource: DataSource): number {
  const { master } = dataSource.driver as { readonly master?: { readonly options?: { readonly max?: unknown } } };
  const max = master?.options?.max;
  return typeof max === 'number' && max > 0 ? max : DRIVER_DEFAULT;
}
