import { Fragment, type ComponentChildren, type JSX } from 'preact';

/** Names and values below each other; a value of null is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }): JSX.Element {
  return (
    <dl class="facts">
      {Object.entries(of).map(([name, value]) =>
        value === null || value === undefined ? null : (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
      )}
    </dl>
  );
}

interface SectionProps {
  readonly title: string;
  /** How many there are, or what else belongs beside the title. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a screen under a title of its own. */
export function Section({ title, aside, children }: SectionProps): JSX.Element {
  return (
    <section class="section">
      <header class="section-head">
        <h2>{title}</h2>
        {aside !== undefined && <div class="section-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
