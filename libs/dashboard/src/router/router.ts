import { computed, signal } from '@preact/signals';

/**
 * Where the page lives, such as `/ops/jobs/`: the server says so by the page's `<base>`, relative to the address that was
 * asked, so that it is right behind any prefix and proxy.
 */
export const MOUNT = new URL('.', document.baseURI).pathname;

const current = signal(addressNow());

/** The path below the mount, still encoded, with a slash in front. */
export const path = computed(() => current.value.path);

/** The query of the address: the one place where screens keep filters. */
export const query = computed(() => new URLSearchParams(current.value.search));

/** The address as browsers need it in links. `to` is a path below the mount with its query. */
export const hrefOf = (to: string): string => `${MOUNT}${to.replace(/^\//, '')}`;

/** Goes to a path below the mount. `replace`: leaves no step to go back to. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = hrefOf(to);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const before = current.value.path;
  current.value = addressNow();
  if (current.value.path !== before) scrollTo(0, 0);
}

/** Changes parameters of the address and keeps the others; empty values remove theirs. */
export function changeQuery(
  changes: Readonly<Record<string, string | readonly string[] | null>>,
  options?: { readonly replace?: boolean },
): void {
  const changed = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    changed.delete(name);
    for (const each of [value ?? []].flat()) if (each !== '') changed.append(name, each);
  }
  const text = changed.toString();
  navigate(text === '' ? path.value : `${path.value}?${text}`, options);
}

function addressNow(): { readonly path: string; readonly search: string } {
  const { pathname, search } = location;
  return { path: `/${pathname.startsWith(MOUNT) ? pathname.slice(MOUNT.length) : ''}`, search };
}

addEventListener('popstate', () => {
  current.value = addressNow();
});
