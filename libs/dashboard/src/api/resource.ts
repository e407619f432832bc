import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { ChangeHint } from './answers.js';
import { readAnswer } from './client.js';
import { liveness, onHint } from './hints.js';
import { isOutage, noteProblem, noteRead, outage } from './outage.js';
import { isVisible } from './presence.js';
import { now } from '../time/clock.js';
import { ApiProblem } from './problem.js';

/** What is known of something on the server. `data` stays while it is read anew and when that fails. */
export interface ResourceState<T> {
  readonly data: T | undefined;
  readonly problem: ApiProblem | undefined;
  /** The data are of another address than the one asked for now. */
  readonly isStale: boolean;
}

export interface Resource<T> {
  readonly state: ReadonlySignal<ResourceState<T>>;
  reload(): void;
}

export interface ResourceOptions {
  /** Which hints are about it. Default: all. */
  readonly concerns?: (hint: ChangeHint) => boolean;
  /** Milliseconds between two looks when no hints come; 0 = it does not change, and is read once. Default 5 s. */
  readonly pollMs?: number;
  /** Milliseconds between two looks at least, however many hints come. Default 2 s. */
  readonly restMs?: number;
  /** It also changes without hints, as progress does: look as often when they come. Default false. */
  readonly isSteady?: boolean;
}

const POLL_MS = 5_000;
/** A hint may have been lost: look all the same, but seldom. */
const POLL_BESIDE_HINTS_MS = 30_000;
/** Many hints at once are one reason to look, and on a busy ledger they never end. */
const AFTER_HINT_MS = 300;
const BETWEEN_LOOKS_MS = 2_000;
const WITHOUT_ANYTHING = { data: undefined, problem: undefined, isStale: false } as const;

/** Options of what belongs to one execution: an ended one changes only when somebody does something to it. */
export const ofExecution = ({ executionId, finishedAt }: OneExecution, { isSteady = false } = {}): ResourceOptions => ({
  concerns: ({ executions = [], topic }) => topic === 'operations' || executions.some(({ id }) => id === executionId),
  pollMs: finishedAt === null ? POLL_MS : POLL_BESIDE_HINTS_MS,
  isSteady,
});

interface OneExecution {
  readonly executionId: string;
  readonly finishedAt: string | null;
}

/**
 * What the API answers at `path`, kept up to date while somebody sees the page. A path of null asks nothing. After a
 * change of `path` the old data stay, marked as stale, until the new ones are there.
 */
export function useResource<T>(path: string | null, options: ResourceOptions = {}): Resource<T> {
  const settings = useRef(options);
  settings.current = options;
  const follower = useMemo(() => new Follower<T>(settings), []);
  useEffect(() => follower.follow(path), [follower, path]);
  return follower;
}

class Follower<T> implements Resource<T> {
  readonly state = signal<ResourceState<T>>(WITHOUT_ANYTHING);
  private path: string | null = null;
  private etag: string | null = null;
  private asking: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends; 0 = there is none. */
  private dueAt = 0;
  private lookedAt = 0;

  constructor(private readonly options: { readonly current: ResourceOptions }) {}

  /** Gives what ends it. */
  follow(path: string | null): () => void {
    if (path !== this.path) {
      this.etag = null;
      this.state.value = { ...this.state.value, problem: undefined, isStale: this.state.value.data !== undefined };
    }
    this.path = path;
    const endHints = onHint((hint) => this.heed(hint));
    const endLooks = effect(() => {
      if (isVisible.value) void this.look();
      else this.rest();
    });
    const endOutage = outage.subscribe((out) => {
      // somebody else has had an answer: there is one for this, too
      const state = this.state.peek();
      if (out !== null || state.problem === undefined || !isOutage(state.problem)) return;
      this.state.value = { ...state, problem: undefined };
      this.schedule(0);
    });
    return () => {
      endHints();
      endLooks();
      endOutage();
      this.rest();
    };
  }

  reload(): void {
    if (isVisible.peek()) void this.look();
  }

  private heed(hint: ChangeHint): void {
    if (this.options.current.pollMs === 0 || this.options.current.concerns?.(hint) === false) return;
    const { restMs = BETWEEN_LOOKS_MS } = this.options.current;
    this.schedule(Math.max(AFTER_HINT_MS, this.lookedAt + restMs - Date.now()));
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.dueAt = 0;
    this.asking?.abort();
  }

  private async look(): Promise<void> {
    this.rest();
    const { path } = this;
    if (path === null) return;
    this.lookedAt = Date.now();
    const asking = new AbortController();
    this.asking = asking;
    try {
      const { body, etag } = await readAnswer<T>(path, { etag: this.etag, signal: asking.signal });
      this.etag = etag;
      noteRead(now.peek());
      this.state.value = { data: body ?? this.state.peek().data, problem: undefined, isStale: false };
    } catch (error) {
      if (asking.signal.aborted) return;
      if (!(error instanceof ApiProblem)) throw error;
      noteProblem(error);
      const { data, isStale } = this.state.peek();
      this.state.value = { data, problem: error, isStale };
    }
    const { pollMs = POLL_MS, isSteady = false } = this.options.current;
    const reliesOnHints = liveness.peek() === 'live' && !isSteady;
    if (pollMs > 0) this.schedule(reliesOnHints ? Math.max(pollMs, POLL_BESIDE_HINTS_MS) : pollMs);
  }

  private schedule(afterMs: number): void {
    const dueAt = Date.now() + afterMs;
    if (this.dueAt !== 0 && this.dueAt <= dueAt) return; // Hints that keep coming must not put it off.
    clearTimeout(this.timer);
    this.dueAt = dueAt;
    this.timer = setTimeout(() => void this.look(), afterMs);
  }
}
