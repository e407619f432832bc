/** The parts of a path that a pattern names, decoded. */
export type RouteParams = Readonly<Record<string, string>>;

/** What a pattern such as `/executions/:key` finds in a path; null = it does not fit. */
export function matchRoute(pattern: string, path: string): RouteParams | null {
  const wanted = partsOf(pattern);
  const given = partsOf(path);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decoded(given[index] ?? '');
    if (value === null) return null;
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}

/** A path below the mount, with its parts encoded: `pathOf('executions', key)`. */
export const pathOf = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** A path with a query; members without a value are left out, lists give one parameter for each element. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat())
      if (each !== undefined && each !== null && each !== '') parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

export type QueryValue = string | number | null | undefined | readonly string[];

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // Not the encoding of anything.
  }
}
