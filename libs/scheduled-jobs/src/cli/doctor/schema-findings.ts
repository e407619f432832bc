import type { SchemaDrift } from '../../postgres/diagnosis/schema-drift.js';
import { ok, problem, warning, type Finding } from './finding.js';

const SHOWN = 5;

/** How a schema differs from what this package makes. @param drift Null = the role may not create a schema to compare with. */
export function driftFindings(drift: SchemaDrift | null, version: number): readonly Finding[] {
  const fits = `The tables have version ${version}, as this package needs it`;
  if (drift === null)
    return [ok('schema', `${fits}; they were not compared, because this role may not create a schema.`)];
  const { missing, added } = drift;
  const [first] = missing;
  return [
    ...(missing.length === 0 && added.length === 0 ? [ok('schema', `${fits}, and are as it makes them.`)] : []),
    ...(first === undefined
      ? []
      : [
          problem(
            'schema',
            `Somebody changed the tables. Missing: ${shown(missing)}`,
            'Put back what is missing (functions: run migrate); nothing else makes sure of what it made sure of.',
          ),
        ]),
    ...(added.length === 0
      ? []
      : [
          warning(
            'schema',
            `Somebody added to the tables: ${shown(added)}`,
            'Take it away, unless somebody knows why it is there: an index can make the claim many times slower.',
          ),
        ]),
  ];
}

function shown(lines: readonly string[]): string {
  const left = lines.length - SHOWN;
  return `${lines.slice(0, SHOWN).join('; ')}${left > 0 ? `; and ${left} more` : ''}.`;
}
