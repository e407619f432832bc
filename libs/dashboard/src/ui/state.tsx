import type { JSX } from 'preact';
import type { ExecutionState } from '../api/answers.js';
import { stateText, type Mark } from './state-text.js';

/** Each mark has a shape of its own beside its colour, drawn in a square of twelve. */
const SHAPES: Readonly<Record<Mark, JSX.Element>> = {
  pending: <circle class="line" cx="6" cy="6" r="4.25" />,
  running: (
    <>
      <circle class="line faint" cx="6" cy="6" r="4.25" />
      <path class="line" d="M6 1.75A4.25 4.25 0 0 1 10.25 6" />
    </>
  ),
  retrying: <path class="line" d="M10 6a4 4 0 1 1-1.3-2.95M9 .9v2.4H6.6" />,
  succeeded: <path class="line" d="M2 6.4 4.8 9.2 10 3.4" />,
  completed_with_errors: <path class="line" d="M1.8 6.2 4 8.6 7.4 4.4M9.8 2.6v4.2M9.8 9v.4" />,
  failed: <path class="line" d="m2.8 2.8 6.4 6.4M9.2 2.8 2.8 9.2" />,
  canceled: (
    <>
      <circle class="line" cx="6" cy="6" r="4.25" />
      <path class="line" d="m3 9 6-6" />
    </>
  ),
  skipped: <path class="line" d="M2 3.2 5.2 6 2 8.8M6.2 3.2 9.4 6 6.2 8.8" />,
  missing: <path class="line dashed" d="M2 2h8v8H2z" />,
  overdue: <path class="line" d="M6 1.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5ZM6 3.8V6l1.6 1.2" />,
  'not-due': <circle class="fill" cx="6" cy="6" r="1.25" />,
  good: <circle class="fill" cx="6" cy="6" r="3.25" />,
  attention: <path class="line" d="M6 1.8 10.6 10H1.4ZM6 5v2.2M6 8.4v.2" />,
  paused: <path class="line" d="M4 2.8v6.4M8 2.8v6.4" />,
  unknown: <path class="line" d="M3.5 6h5" />,
};

interface GlyphProps {
  readonly mark: Mark;
  /** Where it stands in another drawing, and how large it is there. */
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The shape alone; what it means stands beside it. */
export function Glyph({ mark, box }: GlyphProps): JSX.Element {
  return (
    <svg class={`glyph is-${mark}`} viewBox="0 0 12 12" aria-hidden="true" {...box}>
      {SHAPES[mark] ?? SHAPES.unknown}
    </svg>
  );
}

/** A mark and what it means. */
export function Marked({ mark, text }: { readonly mark: Mark; readonly text: string }): JSX.Element {
  return (
    <span class={`mark is-${mark}`}>
      <Glyph mark={mark} />
      <span>{text}</span>
    </span>
  );
}

interface StateProps {
  readonly state: ExecutionState;
  /** Why it is in it, such as `overlap`. */
  readonly reason?: string | null;
}

/** The state of an execution in words, with its shape and colour. */
export function State({ state, reason = null }: StateProps): JSX.Element {
  return <Marked mark={state} text={reason === null ? stateText(state) : `${stateText(state)} · ${reason}`} />;
}
