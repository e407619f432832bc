import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Runs `main` if its file was started by name, not if it was imported. What it throws is shown as a message, and the
 * exit code becomes 1.
 * @param {string} url `import.meta.url` of the file
 * @param {() => Promise<void> | void} main
 */
export async function runIfStarted(url, main) {
  const started = process.argv[1];
  if (started === undefined || realpathSync(started) !== realpathSync(fileURLToPath(url))) return;
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
