import { noteServerTime } from '../time/clock.js';
import { MOUNT } from '../router/router.js';
import { ApiProblem } from './problem.js';

const ROOT = `${MOUNT}api`;

/** A body with what identifies it; `null` = it is as it was. */
export interface Answer<T> {
  readonly body: T | null;
  readonly etag: string | null;
}

/**
 * Reads `path`, which is below the API and may have a query. With the `etag` of an earlier answer an unchanged one gives
 * no body.
 * @throws ApiProblem
 */
export async function readAnswer<T>(
  path: string,
  { etag = null, signal }: { readonly etag?: string | null; readonly signal?: AbortSignal } = {},
): Promise<Answer<T>> {
  const headers = { Accept: 'application/json', ...(etag === null ? {} : { 'If-None-Match': etag }) };
  const response = await ask(path, { headers, cache: 'no-store', ...(signal === undefined ? {} : { signal }) });
  if (response.status === 304) return { body: null, etag };
  return { body: (await bodyOf(response)) as T, etag: response.headers.get('ETag') };
}

/**
 * Does something by a POST. `idempotencyKey` is one for each thing that somebody wants done: a repeated click or a lost
 * answer does it once.
 * @throws ApiProblem
 */
export async function act<T>(path: string, body: object, idempotencyKey: string): Promise<T> {
  const headers = {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    // no form of another site can send it
    'X-Jobs-Request': '1',
    'Idempotency-Key': idempotencyKey,
  };
  return (await bodyOf(await ask(path, { method: 'POST', headers, body: JSON.stringify(body) }))) as T;
}

/** A name for one intention, see `act`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`${ROOT}${path}`, { credentials: 'same-origin', ...request });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, 'UNREACHABLE', 'The application does not answer.');
  }
  noteServerTime(response.headers.get('Date'));
  if (response.ok || response.status === 304) return response;
  throw await problemOf(response);
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new ApiProblem(response.status, 'UNREADABLE', 'The answer is not what this page understands. Reload it.');
  }
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail, problems } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return new ApiProblem(
    response.status,
    typeof code === 'string' ? code : `HTTP_${response.status}`,
    typeof detail === 'string' ? detail : `The application answered ${response.status} ${response.statusText}.`.trim(),
    Array.isArray(problems) ? problems.map(String) : [],
  );
}
