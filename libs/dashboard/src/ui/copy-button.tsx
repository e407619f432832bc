import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const SHOWN_FOR_MS = 1_500;

/** Copies a text; says so. Where the browser gives no clipboard, on plain HTTP, there is no button. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): JSX.Element | null {
  const [isCopied, setCopied] = useState(false);
  if (!isSecureContext) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_FOR_MS);
  };
  return (
    <button type="button" class="quiet copy" onClick={() => void copy()} aria-label={`Copy ${what}`}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
