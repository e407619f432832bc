import { createHash } from 'node:crypto';
import { replaceUnstorable } from '../../core/execution/bounded-text.js';
import type { ResolvedHttpOptions } from '../jobs-http-options.js';
import type { ApiRequest } from '../requests/read-query.js';

const MAX_LENGTH = 200;
/** What guards of most applications leave in `request.user`. */
const NAMES = ['id', 'name', 'email', 'sub'] as const;

/** Who sends a request, as it stands in the audit: what the application says, else what its user is known by; null = unknown. */
export async function actorOf(request: ApiRequest, { actorOf: ask }: ResolvedHttpOptions): Promise<string | null> {
  const actor: unknown = ask === null ? nameOf(request.user) : await ask(request);
  return typeof actor === 'string' && actor !== '' ? replaceUnstorable(bounded(actor)) : null;
}

/** Two that begin alike stay two: of a long one, a digest takes the place of its end. */
function bounded(actor: string): string {
  if (actor.length <= MAX_LENGTH) return actor;
  const digest = createHash('sha256').update(actor).digest('hex').slice(0, 16);
  return `${actor.slice(0, MAX_LENGTH - digest.length - 1)}…${digest}`;
}

function nameOf(user: unknown): string | null {
  if (typeof user !== 'object' || user === null) return nameable(user);
  const members = user as Readonly<Record<string, unknown>>;
  return NAMES.map((name) => nameable(members[name])).find((name) => name !== null) ?? null;
}

function nameable(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}
