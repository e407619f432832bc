import { JOB_NAME } from './execution-key.js';
import { shown, type OptionReader } from './option-reader.js';

const MAX_ALIASES = 10;

/** Reads the names that a job had, the oldest first; names that differ only in case are one. */
export function resolveAliases(name: string, reader: OptionReader): readonly string[] {
  const value = reader.raw('aliases') ?? [];
  if (!Array.isArray(value)) {
    reader.refuse('aliases', `must be a list of the job's earlier names, got ${shown(value)}`);
    return [];
  }
  const aliases: readonly unknown[] = value;
  const faults = new Set(aliases.flatMap((alias, index) => fault(alias, [name, ...aliases.slice(0, index)]) ?? []));
  if (aliases.length > MAX_ALIASES) faults.add(`has ${aliases.length} names, more than ${MAX_ALIASES}`);
  for (const text of faults) reader.refuse('aliases', text);
  return faults.size === 0 ? (aliases as readonly string[]) : [];
}

/** @param before The job's own name and the aliases that stand before this one. */
function fault(alias: unknown, [name, ...before]: readonly unknown[]): string | null {
  if (typeof alias !== 'string' || !JOB_NAME.pattern.test(alias)) {
    return `contains ${shown(alias)}, which is no job name: ${JOB_NAME.hint}`;
  }
  if (isSame(alias, name)) return `contains the job's own name ${shown(alias)}`;
  const twin = before.find((other) => isSame(alias, other));
  if (twin === undefined) return null;
  return twin === alias
    ? `contains ${shown(alias)} twice`
    : `contains ${shown(twin)} and ${shown(alias)}: they are one name`;
}

const isSame = (alias: string, other: unknown): boolean =>
  typeof other === 'string' && alias.toLowerCase() === other.toLowerCase();
