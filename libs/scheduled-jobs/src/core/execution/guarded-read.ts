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
