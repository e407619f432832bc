import { byteLength } from './bounded-text.js';
import { lossProblem } from './payload-loss.js';
import { textProblem } from './storable-text.js';
import { thrownText } from './stored-error.js';

const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 32;
const MAX_PROBLEMS = 20;
const MAX_PATH_LENGTH = 200;
/** A payload that is this much too large is not read to its end. */
const MAX_READ = 8 * MAX_BYTES;

/** A payload as it is stored, or why it cannot be. */
export interface EncodedPayload {
  /** JSON text of at most 1 MiB; null = no payload. */
  readonly json: string | null;
  readonly problems: readonly string[];
}

/** Copies a value the way JSON sees it, reads each member once, and notes what would be lost or refused. */
class PayloadCopy {
  readonly problems: string[] = [];
  /** What is being copied, from the payload on: each holds the next one. */
  private readonly open: object[] = [];
  /** Where that is; joined when there is a problem to note. */
  private readonly path: (string | number)[] = [];
  /** Characters and members so far. */
  private read = 0;

  get isTooLarge(): boolean {
    return this.read > MAX_READ;
  }

  of(value: unknown): unknown {
    if (this.problems.length >= MAX_PROBLEMS || this.isTooLarge) return null;
    this.read++;
    switch (typeof value) {
      case 'string':
        this.read += value.length;
        return this.checked(value, textProblem(value));
      case 'number':
        return this.checked(value, Number.isFinite(value) ? null : `is ${value}`);
      case 'bigint':
      case 'symbol':
      case 'function':
        return this.checked(null, `is a ${typeof value}`);
      case 'object':
        return value === null ? null : this.ofObject(value);
      default:
        return value;
    }
  }

  private ofObject(value: object): unknown {
    if (this.open.includes(value)) return this.checked(null, 'refers to itself');
    if (this.open.length >= MAX_DEPTH) return this.checked(null, `is nested deeper than ${MAX_DEPTH} levels`);
    this.open.push(value);
    try {
      return this.ofReadable(value);
    } catch (error) {
      return this.checked(null, `cannot be read: ${thrownText(error)}`);
    } finally {
      this.open.pop();
    }
  }

  private ofReadable(value: object): unknown {
    if (value instanceof Date && Number.isNaN(value.getTime())) return this.checked(null, 'is an invalid Date');
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.of((toJSON as () => unknown).call(value));
    const problem = lossProblem(value);
    if (problem !== null) return this.checked(null, problem);
    if (!Array.isArray(value)) return this.ofMembers(value as Readonly<Record<string, unknown>>);
    // Each place takes two bytes at least, also one that holds nothing.
    this.read += value.length;
    if (this.isTooLarge) return null;
    return Array.from(value, (member: unknown, index) => {
      this.path.push(index);
      const copy = this.of(member);
      this.path.pop();
      return copy;
    });
  }

  private ofMembers(owner: Readonly<Record<string, unknown>>): unknown {
    const copy: Record<string, unknown> = {};
    for (const name of Object.keys(owner)) {
      this.read += name.length;
      this.path.push(name);
      this.checked(null, textProblem(name));
      try {
        const member = this.of(owner[name]);
        // Here it is a name like any other.
        if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true });
        else copy[name] = member;
      } catch (error) {
        this.checked(null, `cannot be read: ${thrownText(error)}`);
      }
      this.path.pop();
    }
    return copy;
  }

  private checked<T>(value: T, problem: string | null): T {
    if (problem !== null && this.problems.length < MAX_PROBLEMS) {
      const path = ['payload', ...this.path.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`))].join(
        '',
      );
      this.problems.push(`${path.slice(0, MAX_PATH_LENGTH)} ${problem}`);
    }
    return value;
  }
}

const refused = (...problems: readonly string[]): EncodedPayload => ({ json: null, problems });

/**
 * Turns a payload into JSON text. `undefined` becomes null and undefined members vanish, a Date becomes its ISO text, −0
 * becomes 0; what JSON would change silently beyond that, or PostgreSQL could not store, is refused, all problems at once.
 */
export function encodePayload(value: unknown): EncodedPayload {
  if (value === undefined || value === null) return { json: null, problems: [] };
  const copy = new PayloadCopy();
  const plain = copy.of(value);
  if (copy.problems.length > 0) return refused(...copy.problems);
  if (copy.isTooLarge) return refused(`payload is far larger than ${MAX_BYTES} bytes as JSON`);
  // A toJSON of its own may leave nothing to store.
  const json = (JSON.stringify(plain) as string | undefined) ?? 'null';
  // Each unit of UTF-16 takes at most three bytes; most payloads need no counting.
  const bytes = json.length * 3 <= MAX_BYTES ? json.length : byteLength(json);
  if (bytes <= MAX_BYTES) return { json, problems: [] };
  return refused(`payload has ${bytes} bytes as JSON, more than ${MAX_BYTES}`);
}
