import type { ComponentType } from 'preact';
import type { RouteParams } from '../router/route.js';

/** One screen: which addresses lead to it, and what it shows. */
export interface Screen {
  /** A path below the mount; a part `:name` gives a parameter. */
  readonly pattern: string;
  /** What the browser's title begins with. */
  readonly title: (params: RouteParams) => string;
  readonly component: ComponentType<{ readonly params: RouteParams }>;
}
