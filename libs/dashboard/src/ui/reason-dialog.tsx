import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../api/client.js';
import { ApiProblem } from '../api/problem.js';
import { ProblemNote } from './answer.js';

const REASON_AT_MOST = 500;

interface ReasonDialogProps {
  /** What will be done, such as `Cancel report:2026-08-14`. */
  readonly title: string;
  /** What follows from it, and what else there is to say. */
  readonly children?: ComponentChildren;
  /** What the button says: the verb. */
  readonly verb: string;
  readonly isDangerous?: boolean;
  /** False = what must be known first is not. Default true. */
  readonly isReady?: boolean;
  /** Does it, or throws an ApiProblem, which is shown. `idempotencyKey` is the same for repeated tries. */
  readonly act: (reason: string, idempotencyKey: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks why before something is done by hand: everybody can read it in the audit. */
export function ReasonDialog(props: ReasonDialogProps): JSX.Element {
  const { title, children, verb, isDangerous = false, isReady = true, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [reason, setReason] = useState('');
  const { problem, isActing, submit } = useAct(props, reason.trim());
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('[required]')?.focus();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={heading} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id={heading}>{title}</h2>
        {children}
        <ReasonField value={reason} onInput={setReason} />
        {problem !== null && <ProblemNote problem={problem} />}
        <footer class="dialog-buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
          <button
            class={isDangerous ? 'primary is-dangerous' : 'primary'}
            disabled={!isReady || isActing || reason.trim() === ''}
          >
            {verb}
          </button>
        </footer>
      </form>
    </dialog>
  );
}

function useAct({ act, onClose }: ReasonDialogProps, reason: string) {
  const idempotencyKey = useMemo(newIdempotencyKey, []);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [isActing, setActing] = useState(false);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setActing(true);
    try {
      await act(reason, idempotencyKey);
      onClose();
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      setProblem(error);
      setActing(false);
    }
  };
  return { problem, isActing, submit };
}

interface ReasonFieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function ReasonField({ value, onInput }: ReasonFieldProps): JSX.Element {
  const id = useId();
  return (
    <label class="field" for={id}>
      <span>Reason</span>
      <textarea
        id={id}
        rows={2}
        required
        maxLength={REASON_AT_MOST}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="muted">It is kept in the audit, with your name if the application knows it.</span>
    </label>
  );
}
