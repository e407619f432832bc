/** What Express or Fastify know about the route of a request: its pattern, global prefix included. */
export interface RoutedRequest {
  /** Without what a router around this one has taken. */
  readonly url: string;
  readonly route?: { readonly path?: string };
  readonly routeOptions?: { readonly url?: string };
}

/** Where a request for the page leads. */
export interface PagePath {
  /** Below the mount, percent-encoded, without a slash in front. */
  readonly rest: string;
  /**
   * The mount as a relative reference from the address that was asked, such as `../`: a proxy may have put anything in front
   * of the paths that the server knows.
   */
  readonly base: string;
}

/** Takes the path of a request apart. A mount asked for without its last slash is a folder all the same. */
export function pagePathOf(request: RoutedRequest): PagePath {
  const [path = ''] = request.url.split('?', 1);
  const pattern = request.route?.path ?? request.routeOptions?.url ?? '';
  const mount = partsOf(pattern.replace(/\/\*\w*$/, ''));
  const below = path.split('/').slice(mount.length + 1);
  if (below.length === 0) return { rest: '', base: `${mount.at(-1) ?? '.'}/` };
  return { rest: below.join('/'), base: '../'.repeat(below.length - 1) || './' };
}

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '');
