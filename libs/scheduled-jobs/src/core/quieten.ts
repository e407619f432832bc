/**
 * Takes the rejection of a promise away that nobody will wait for, so that it cannot end the process as an unhandled one.
 * Does nothing for other values, and never throws.
 */
export function quieten(value: unknown): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return;
  try {
    if (typeof (value as { readonly then?: unknown }).then !== 'function') return;
    Promise.resolve(value).catch(() => undefined);
  } catch {
    // A getter or a proxy that refuses to be looked at.
  }
}
