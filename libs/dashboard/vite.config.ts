import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const SCRIPTS_AT_MOST_BYTES = 80 * 1_024;

/** Fails the build when all scripts together, compressed, are larger than the page may be on a slow line. */
const sizeLimit: Plugin = {
  name: 'size-limit',
  generateBundle(_options, bundle) {
    const scripts = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? [part.code] : []));
    const bytes = scripts.reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
    if (bytes > SCRIPTS_AT_MOST_BYTES) {
      this.error(`The scripts have ${bytes} bytes compressed; at most ${SCRIPTS_AT_MOST_BYTES}. Remove something.`);
    }
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Nobody knows below which path the page will be served.
  base: './',
  plugins: [sizeLimit],
  build: {
    outDir: fileURLToPath(new URL('../scheduled-jobs/dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // Both would put code or data into the page or its styles, which its content security policy forbids.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 300,
    // What is bundled keeps its notices.
    license: { fileName: 'licenses.md' },
  },
});
