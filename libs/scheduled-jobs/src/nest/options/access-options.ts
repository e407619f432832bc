import type { CanActivate, ModuleMetadata, Type } from '@nestjs/common';
import { shown, type OptionReader } from '../../core/job/option-reader.js';

/** Who may use routes of the library. */
export interface ResolvedAccess {
  /** Empty = nobody has access, unless `access` is `host`. */
  readonly guards: readonly (Type<CanActivate> | CanActivate)[];
  readonly access: 'host' | null;
  /** Modules whose exports the guards need. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
}

const PATH = /^\/?[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*\/?$/;

/** Reads `guards`, `access` and `imports`, and notes their problems. */
export function readAccess(reader: OptionReader): ResolvedAccess {
  const guards = readList<ResolvedAccess['guards'][number]>(reader, 'guards');
  const access = reader.raw('access') === undefined ? null : reader.oneOf('access', 'host', ['host']);
  if (access !== null && guards.length > 0)
    reader.refuse('access', 'cannot be combined with "guards". Give one of them');
  if (!guards.every(isGuard)) reader.refuse('guards', 'must list guards: classes or instances with canActivate()');
  return { guards, access, imports: readList(reader, 'imports') };
}

/** Reads where routes live, without slashes at its ends, and notes its problem. */
export const readRoutePath = (
  reader: OptionReader,
  name: string,
  { fallback, example }: { readonly fallback: string; readonly example: string },
): string => {
  const hint = `a path of letters, digits, "-", "_" and "/" such as "${example}"`;
  return reader.text(name, fallback, { pattern: PATH, hint }).replace(/^\/|\/$/g, '');
};

function readList<T>(reader: OptionReader, name: string): T[] {
  const value = reader.raw(name);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as T[];
  reader.refuse(name, `must be a list, got ${shown(value)}`);
  return [];
}

function isGuard(value: unknown): boolean {
  const holder: unknown = typeof value === 'function' ? value.prototype : value;
  return typeof holder === 'object' && holder !== null && typeof (holder as CanActivate).canActivate === 'function';
}
