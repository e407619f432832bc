import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const guides = readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`);

/** What the examples import from the reader's own application, beside the files that README.md shows. */
const READERS_FILES: Readonly<Record<string, string>> = {
  'src/api/operator.guard.ts': `import { Injectable, type CanActivate } from '@nestjs/common';
@Injectable()
export class OperatorGuard implements CanActivate {
  canActivate(): boolean { return true; }
}`,
};

/** The TypeScript blocks of a page, by the path in their first line. */
function snippets(page: string): Record<string, string> {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code]) => code ?? '',
  );
  return Object.fromEntries(
    blocks.map((code, index) => {
      const named = /^\/\/ (\S+\.ts)/.exec(code)?.[1];
      return [named ?? `snippet-${index}.ts`, code];
    }),
  );
}

/** The pages with examples, and one that complaints are known of. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  wrong: { 'snippet-0.ts': `import { NoSuchName } from 'nestjs-scheduled-jobs';\nvoid NoSuchName;` },
  ...Object.fromEntries(
    ['README.md', 'libs/scheduled-jobs/README.md', 'libs/scheduled-jobs/AGENTS.md', ...guides].map((page) => [
      page,
      { ...READERS_FILES, ...snippets('README.md'), ...snippets(page) },
    ]),
  ),
};

/**
 * The compiler's complaints about each page, whose files exist in memory only, resolved as if they lay in a folder of their own
 * below the test folder. All are one program: the libraries are read once.
 */
function complaintsOf(pages: typeof PAGES): ReadonlyMap<string, readonly string[]> {
  const folder = join(root, 'test/package/');
  const files = new Map(
    Object.values(pages).flatMap((page, index) =>
      Object.entries(page).map(([path, text]) => [join(folder, `page-${index}`, path), text] as const),
    ),
  );
  const configured = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...configured.config.compilerOptions, composite: false, noEmit: true },
    root,
  );
  const host = ts.createCompilerHost(options);
  const { directoryExists, fileExists, readFile, getSourceFile } = host;
  const folders = new Set([...files.keys()].flatMap((path) => foldersAbove(path, folder)));
  host.directoryExists = (path) => folders.has(path) || directoryExists?.(path) === true;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.readFile = (path) => files.get(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = files.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
  return new Map(
    Object.keys(pages).map((page, index) => [
      page,
      found.filter(({ file }) => file?.fileName.startsWith(join(folder, `page-${index}/`)) ?? true).map(complaint),
    ]),
  );
}

function foldersAbove(path: string, top: string): readonly string[] {
  const folder = dirname(path);
  return folder.length < top.length ? [] : [folder, ...foldersAbove(folder, top)];
}

const complaint = ({ file, messageText }: ts.Diagnostic): string =>
  `${basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;

describe('the examples of the documentation', () => {
  let complaints: ReturnType<typeof complaintsOf>;
  beforeAll(() => {
    complaints = complaintsOf(PAGES);
  }, 120_000);

  it.each(Object.keys(PAGES).filter((page) => page !== 'wrong'))('compile: %s', (page) => {
    expect(complaints.get(page)).toEqual([]);
  });

  it('are really compiled', () => {
    expect(complaints.get('wrong')).toHaveLength(1);
  });
});

describe('README.md', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');

  it('has at most 200 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(200);
  });

  it('links only to files that exist', () => {
    for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(() => readdirSync(join(root, target ?? '', '..')), target).not.toThrow();
      expect(readdirSync(join(root, target ?? '', '..'))).toContain(basename(target ?? ''));
    }
  });
});
