import type { ComponentChildren, JSX } from 'preact';
import { hrefOf, navigate } from './router.js';

interface LinkProps extends Omit<JSX.HTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path below the mount with its query, see `pathOf` and `withQuery`. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A real link, so that it can be opened elsewhere; a plain click stays in the page. */
export function Link({ to, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: JSX.TargetedMouseEvent<HTMLAnchorElement>): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={hrefOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
