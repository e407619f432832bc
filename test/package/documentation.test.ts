import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

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

/** The compiler's complaints about files that exist in memory only, resolved as if they lay in the test folder. */
function complaints(files: Readonly<Record<string, string>>): readonly string[] {
  const folder = join(root, 'test/package/');
  const configured = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...configured.config.compilerOptions, composite: false, noEmit: true },
    root,
  );
  const host = ts.createCompilerHost(options);
  const inMemory = (path: string) => (path.startsWith(folder) ? files[path.slice(folder.length)] : undefined);
  const { directoryExists, fileExists, readFile, getSourceFile } = host;
  host.directoryExists = (path) =>
    Object.keys(files).some((file) => join(folder, file).startsWith(join(path, '/'))) ||
    directoryExists?.(path) === true;
  host.fileExists = (path) => inMemory(path) !== undefined || fileExists(path);
  host.readFile = (path) => inMemory(path) ?? readFile(path);
  host.getSourceFile = (path, version, ...rest) => {
    const text = inMemory(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };
  const program = ts.createProgram(
    Object.keys(files).map((file) => join(folder, file)),
    options,
    host,
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

describe('the examples of the documentation', () => {
  it.each(['README.md', 'libs/scheduled-jobs/README.md', 'libs/scheduled-jobs/AGENTS.md', ...guides])(
    'compile: %s',
    (page) => {
      expect(complaints({ ...READERS_FILES, ...snippets('README.md'), ...snippets(page) })).toEqual([]);
    },
    60_000,
  );

  it('are really compiled', () => {
    expect(
      complaints({ 'snippet-0.ts': `import { NoSuchName } from 'nestjs-scheduled-jobs';\nvoid NoSuchName;` }),
    ).toHaveLength(1);
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
