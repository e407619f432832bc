import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  readonly title: ComponentChildren;
  /** A sentence, or the place above. */
  readonly above?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** The title of a screen. It takes the focus when the screen appears, so that a reader begins there. */
export function Heading({ title, above, children }: HeadingProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <header class="heading">
      <div>
        {above !== undefined && <p class="above">{above}</p>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {children !== undefined && <div class="heading-buttons">{children}</div>}
    </header>
  );
}
