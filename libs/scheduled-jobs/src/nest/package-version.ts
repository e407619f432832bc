import { createRequire } from 'node:module';

/** The version of this package, by a path that is the same from the sources and from what is published. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { readonly version: string };
  return version;
}
