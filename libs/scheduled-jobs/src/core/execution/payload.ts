import { byteLength } from './bounded-text.js';
import { textProblem } from './storable-text.js';

const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 32;
const MAX_PROBLEMS = 20;

/** A payload as it is stored, or why it cannot be. */
export interface EncodedPayload {
  /** JSON text of at most 1 MiB; null = no payload. */
  readonly json: string | null;
  readonly problems: readonly string[];
}

/** Walks a value the way JSON.stringify sees it and notes what would be lost or refused. */
class PayloadWalk {
  readonly problems: string[] = [];
  private readonly open = new Set<object>();

  visit(value: unknown, path: string, depth: number): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    switch (typeof value) {
      case 'string':
        return this.note(path, textProblem(value));
      case 'number':
        return this.note(path, Number.isFinite(value) ? null : `is ${value}`);
      case 'bigint':
      case 'symbol':
      case 'function':
        return this.note(path, `is a ${typeof value}`);
      case 'object':
        return value === null ? undefined : this.visitObject(value, path, depth);
      default:
    }
  }

  private visitObject(value: object, path: string, depth: number): void {
    if (this.open.has(value)) return this.note(path, 'refers to itself');
    if (depth >= MAX_DEPTH) return this.note(path, `is nested deeper than ${MAX_DEPTH} levels`);
    if (value instanceof Date && Number.isNaN(value.getTime())) return this.note(path, 'is an invalid Date');
    this.open.add(value);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') this.visit((toJSON as () => unknown).call(value), path, depth + 1);
    else this.visitMembers(value, path, depth);
    this.open.delete(value);
  }

  private visitMembers(value: object, path: string, depth: number): void {
    for (const [name, member] of Object.entries(value)) {
      const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
      if (!Array.isArray(value)) this.note(at.slice(0, 200), textProblem(name));
      this.visit(member, at, depth + 1);
    }
  }

  private note(path: string, problem: string | null): void {
    if (problem !== null) this.problems.push(`${path.slice(0, 200)} ${problem}`);
  }
}

/**
 * Turns a payload into JSON text. `undefined` becomes null and undefined members vanish, a Date becomes its ISO text, −0
 * becomes 0; what JSON would change silently beyond that, or PostgreSQL could not store, is refused.
 */
export function encodePayload(value: unknown): EncodedPayload {
  if (value === undefined || value === null) return { json: null, problems: [] };
  const walk = new PayloadWalk();
  try {
    walk.visit(value, 'payload', 0);
    if (walk.problems.length > 0) return { json: null, problems: walk.problems };
    // A toJSON of its own may leave nothing to store.
    const json = (JSON.stringify(value) as string | undefined) ?? 'null';
    const bytes = byteLength(json);
    if (bytes <= MAX_BYTES) return { json, problems: [] };
    return { json: null, problems: [`payload has ${bytes} bytes as JSON, more than ${MAX_BYTES}`] };
  } catch (error) {
    return {
      json: null,
      problems: [`payload cannot be read: ${error instanceof Error ? error.message : typeof error}`],
    };
  }
}
