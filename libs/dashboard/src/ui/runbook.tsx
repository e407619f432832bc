import type { JSX } from 'preact';

/** How people help themselves with a job: an address leads there, any other text is shown. */
export function Runbook({ text }: { readonly text: string }): JSX.Element {
  return (
    <p class="runbook">
      <span class="runbook-title">Runbook</span>{' '}
      {isWebAddress(text) ? (
        <a href={text} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        <span>{text}</span>
      )}
    </p>
  );
}

/** Only these two schemes: a link with `javascript:` would run in this page. */
function isWebAddress(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
