/**
 * Reads a member of any thrown value. What has no members, or does not want to be read (a getter or a proxy that throws),
 * reads as undefined.
 */
export function member(owner: unknown, name: PropertyKey): unknown {
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined;
  try {
    return (owner as Readonly<Record<PropertyKey, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/** `instanceof` for any thrown value: a proxy that does not want to be read is an instance of nothing. */
export function isA<T>(value: unknown, kind: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof kind;
  } catch {
    return false;
  }
}
