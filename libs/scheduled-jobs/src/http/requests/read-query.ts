import { getMetadataStorage } from 'class-validator';
import { InvalidQueryError } from '../../core/errors.js';
import { validateAs } from '../../nest/jobs/class-validation.js';

/** An answer does not grow with what was wrong. */
const MAX_TOLD = 20;

/** A request as Express and Fastify both have it. */
export interface ApiRequest {
  readonly method?: string;
  readonly headers?: RequestHeaders;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Its connection. */
  readonly socket?: { readonly writableLength: number; destroy(): void };
  /** What guards of many applications leave behind. */
  readonly user?: unknown;
}

/** Names in lower case; what was sent several times may be a list. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads the query of a request by the rules of a class. It does so itself, so that a ValidationPipe of the application,
 * whatever its settings, has no say in it.
 * @throws InvalidQueryError that lists every problem, parameters that do not exist included.
 */
export async function readQuery<T extends object>(type: new () => T, { query }: ApiRequest): Promise<T> {
  const known = membersOf(type);
  const unknown = unknownParameters(query, known);
  const { value, problems } = await validateAs(type, { ...(query as object | undefined) }, 'ignore');
  if (value !== null && unknown.length === 0) return value;
  throw new InvalidQueryError([...unknown, ...problems]);
}

/**
 * For routes without parameters.
 * @throws InvalidQueryError when the request has any.
 */
export function refuseParameters({ query }: ApiRequest): void {
  const unknown = unknownParameters(query, new Set());
  if (unknown.length > 0) throw new InvalidQueryError(unknown);
}

function unknownParameters(query: unknown, known: ReadonlySet<string>): readonly string[] {
  return Object.keys({ ...(query as object | undefined) })
    .filter((name) => !known.has(name))
    .slice(0, MAX_TOLD)
    .map((name) => {
      const here = known.size === 0 ? 'This route takes no parameters' : `Known: ${[...known].join(', ')}`;
      return `there is no parameter "${name.slice(0, 60)}" here. ${here}`;
    });
}

/** The names of what a class has rules for. */
export function membersOf(type: new () => object): ReadonlySet<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}
