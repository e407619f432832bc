import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findTimers, type FileTimers, type FoundTimer } from './find-timers.js';
import { loadTypeScript, type TypeScript } from './load-typescript.js';
import { sourceFiles } from './source-files.js';

/** A timer and where it stands. */
export interface LocatedTimer extends FoundTimer {
  /** The path below the folder that was checked. */
  readonly file: string;
}

/** What the sources of a service hold. */
export interface SourceReport {
  readonly files: number;
  readonly findings: readonly LocatedTimer[];
  /** Timers beside which a comment says why each process has one. */
  readonly kept: number;
}

/**
 * Finds the timers in the sources below a folder that run in each process of a service.
 * @param folder Relative to `from`.
 * @throws UsageError when there are no sources, or no TypeScript to read them.
 */
export function checkSources(folder: string, from: string): SourceReport {
  const root = resolve(from, folder);
  const files = sourceFiles(root);
  const compiler = loadTypeScript(root);
  const found = files.map((file) => ({ file, ...timersIn(compiler, root, file) }));
  return {
    files: files.length,
    findings: found.flatMap(({ file, timers }) => timers.map((timer) => ({ file, ...timer }))),
    kept: found.reduce((sum, { kept }) => sum + kept, 0),
  };
}

function timersIn(compiler: TypeScript, root: string, file: string): FileTimers {
  try {
    return findTimers(compiler, file, readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
}

/** The report for people. */
export function sourceText({ files, findings, kept }: SourceReport, folder: string): string {
  const comment = kept === 0 ? '' : `, ${kept} kept by a comment`;
  return [
    ...findings.flatMap(({ file, line, kind, place, replacement }) => [
      `${join(folder, file)}:${line}  ${kind}${place === null ? '' : ` at ${place}`} runs in every process`,
      `  → ${replacement}`,
    ]),
    `${files} file(s), ${findings.length} timer(s) that run in every process${comment}`,
    ...(findings.length === 0
      ? []
      : ['What belongs to each process stays with a comment beside it: // per-instance: <why>']),
  ].join('\n');
}
