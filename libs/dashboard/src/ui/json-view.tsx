import type { JSX } from 'preact';
import { CopyButton } from './copy-button.js';

/** A JSON value as text, with a button that copies it. */
export function JsonView({ value, what }: { readonly value: unknown; readonly what: string }): JSX.Element {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return (
    <div class="code-frame">
      <pre class="code" tabIndex={0} role="region" aria-label={what}>
        {text}
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
