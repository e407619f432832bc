import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchPostgres } from '../../scripts/postgres/launch.mjs';

/** The keys under which test files find the servers with Vitest's `inject`. */
export interface ServerUrls {
  /** PostgreSQL 18, for every project that names `postgres.setup.ts`. */
  readonly databaseUrl: string;
  /** PostgreSQL 15, for every project that names `postgres-15.setup.ts`. */
  readonly databaseUrl15: string;
}

declare module 'vitest' {
  interface ProvidedContext extends ServerUrls {}
}

interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface SharedServer {
  readonly server: Promise<RunningServer>;
  users: number;
}

interface ServerOptions {
  readonly major: number;
  readonly provideAs: keyof ServerUrls;
  /** The environment variable that names a server to use instead. */
  readonly override: string;
}

/**
 * Makes a global set-up. Vitest calls it once for each project that names it and has files to run, in one process, but
 * loads its module anew each time: what they share has to lie on `globalThis`.
 */
export function sharedServerSetup(options: ServerOptions) {
  const key = Symbol.for(`test/postgres-${options.major}`);
  const shelf = globalThis as typeof globalThis & Record<symbol, SharedServer | undefined>;

  return async (project: TestProject): Promise<() => Promise<void>> => {
    const shared = (shelf[key] ??= { server: startServer(options), users: 0 });
    shared.users += 1;
    project.provide(options.provideAs, (await shared.server).url);
    return async () => {
      shared.users -= 1;
      if (shared.users > 0) return;
      shelf[key] = undefined;
      await (await shared.server).stop();
    };
  };
}

async function startServer({ major, override }: ServerOptions): Promise<RunningServer> {
  const url = process.env[override];
  if (url !== undefined) return { url, stop: async () => undefined };
  const directory = join(tmpdir(), `scheduled-jobs-test-${process.pid}-${major}`);
  return launchPostgres({ directory, major, temporary: true });
}
