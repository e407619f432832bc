/** How far something has come. */
export interface ProgressState {
  /** Such as `replayed`. */
  readonly text: string;
  readonly done: number;
  /** Null = nobody knows how much there is. */
  readonly total: number | null;
}

interface ProgressOptions {
  /** The standard error output. */
  readonly write: (text: string) => void;
  /** Somebody looks at it: a bar is drawn again and again on one line. Otherwise a line is written now and then. */
  readonly isTerminal: boolean;
  /** By a clock that only goes on, milliseconds. */
  readonly nowMs?: () => number;
}

const DRAW_EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;
const BAR_WIDTH = 24;
const CLEAR_LINE = '\r\u001b[2K';

/** Shows people how far long work has come; work that is over at once shows nothing where nobody looks. */
export class Progress {
  private readonly nowMs: () => number;
  private shownMs: number;
  private isDrawn = false;

  constructor(private readonly options: ProgressOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
    this.shownMs = this.nowMs();
  }

  show(state: ProgressState): void {
    const { write, isTerminal } = this.options;
    const nowMs = this.nowMs();
    if (nowMs - this.shownMs < (isTerminal ? DRAW_EVERY_MS : LINE_EVERY_MS)) return;
    this.shownMs = nowMs;
    this.isDrawn = isTerminal;
    write(isTerminal ? `${CLEAR_LINE}${bar(state)}` : `${figures(state)}\n`);
  }

  /** Takes the bar away, so that other lines may follow; safe to call twice. */
  end(): void {
    if (this.isDrawn) this.options.write(CLEAR_LINE);
    this.isDrawn = false;
  }
}

function bar(state: ProgressState): string {
  const share = shareOf(state);
  if (share === null) return figures(state);
  const full = Math.floor(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}] ${figures(state)}`;
}

function figures(state: ProgressState): string {
  const { done, total, text } = state;
  const share = shareOf(state);
  return share === null ? `${done} ${text}` : `${Math.floor(share * 100)} %  ${done} of ${total} ${text}`;
}

const shareOf = ({ done, total }: ProgressState): number | null =>
  total === null || total === 0 ? null : Math.min(1, done / total);
