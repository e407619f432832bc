import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the built page. */
export interface DashboardFile {
  readonly contentType: string;
  readonly body: Buffer;
  /** The same, compressed; null = it would not be smaller by much. */
  readonly gzipped: Buffer | null;
}

/** The built page, the same place seen from the sources and from what is built of them. */
const FOLDER = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url));

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * The files of the page by their path, such as `index.html` and `assets/index-B1x2.js`; all are kept in memory, about 300 KB.
 * Nothing else can be asked for: a path that is not one of them leads nowhere.
 * @throws Error when the page is not there.
 */
export function readDashboardFiles(): ReadonlyMap<string, DashboardFile> {
  const paths = pathsBelow(FOLDER);
  if (!paths.includes('index.html')) throw new Error(`There is no dashboard in ${FOLDER}. Build it: npm run build.`);
  return new Map(paths.map((path) => [path, readDashboardFile(path)]));
}

function pathsBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        `${entry.parentPath}/${entry.name}`.slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''),
      );
  } catch {
    return []; // No such folder: the caller says so.
  }
}

function readDashboardFile(path: string): DashboardFile {
  const body = readFileSync(`${FOLDER}${path}`);
  const gzipped = gzipSync(body, { level: 9 });
  return {
    contentType: CONTENT_TYPES[extname(path)] ?? 'application/octet-stream',
    body,
    gzipped: gzipped.length < body.length * 0.9 ? gzipped : null,
  };
}
