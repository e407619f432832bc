// Starts a private PostgreSQL from the programs that npm has installed:
//   node scripts/postgres.mjs [--dir FOLDER] [--version 15|18] [-c NAME=VALUE]… [--fresh] [--temporary]
// Prints one line {"url":…,"port":…,"pid":…} and runs until it gets a signal or its standard input ends, which it does
// when the parent is gone, whatever killed it. --fresh throws away what is stored first; --temporary removes the folder
// afterwards.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDirectory } from './postgres/data-folder.mjs';
import { startServer } from './postgres/server.mjs';

function readOptions() {
  const { values } = parseArgs({
    options: {
      dir: { type: 'string' },
      version: { type: 'string', default: '18' },
      setting: { type: 'string', short: 'c', multiple: true, default: [] },
      fresh: { type: 'boolean', default: false },
      temporary: { type: 'boolean', default: false },
    },
  });
  return {
    directory: resolve(values.dir ?? defaultDirectory()),
    major: Number(values.version),
    settings: values.setting,
    fresh: values.fresh,
    temporary: values.temporary,
  };
}

async function main() {
  const { temporary, ...options } = readOptions();
  process.umask(0o022);
  const stopRequest = new AbortController();
  const requestStop = () => stopRequest.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, requestStop);
  process.stdout.on('error', requestStop); // the parent is gone
  let isAsked = false; // by a word; without one, its parent is gone, or its input was /dev/null from the beginning
  process.stdin
    .on('error', requestStop)
    .on('data', () => (isAsked = true))
    .on('end', () => {
      if (!isAsked && !stopRequest.signal.aborted) console.error('PostgreSQL stops: its standard input has ended.');
      requestStop();
    });

  const server = await startServer({ ...options, log: console.error });
  console.log(JSON.stringify({ url: server.url, port: server.port, pid: server.pid }));
  if (stopRequest.signal.aborted) void server.stop();
  else stopRequest.signal.addEventListener('abort', () => void server.stop());

  const outcome = await server.exited;
  const isExpected = stopRequest.signal.aborted;
  if (!isExpected) console.error(`PostgreSQL ended by itself (${outcome}).\n${server.logTail()}`);
  if (temporary) rmSync(options.directory, { recursive: true, force: true });
  process.exit(isExpected ? 0 : 1);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
