import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { BackfillPreview, BackfillResult, JobDetail } from '../../api/answers.js';
import { act, newIdempotencyKey } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { pathOf } from '../../router/route.js';
import { now } from '../../time/clock.js';
import { announce } from '../../ui/announce.js';
import { Loading, ProblemNote } from '../../ui/answer.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import type { JobDialogProps } from './job-dialog.js';
import { lastDay, utcField, utcInstant } from './utc-field.js';

interface Range {
  /** Fields of date and time, by UTC. */
  readonly from: string;
  readonly to: string;
  readonly order: string;
}

const TO_THE_MINUTE = '2026-08-14T04:00'.length;
const ORDERS = { 'oldest-first': 'the oldest first', 'newest-first': 'the newest first' } as const;

interface BackfillDialogProps extends Omit<JobDialogProps, 'of'> {
  readonly of: Pick<JobDetail, 'jobName'>;
  /** The nominal time of the one period that is meant, RFC 3339. Default: those of the last day. */
  readonly at?: string;
}

/** Executes periods of the past: says first which, then does it. */
export function BackfillDialog({ of, at, onDone, onClose }: BackfillDialogProps): JSX.Element {
  const [range, setRange] = useState<Range>(() => ({ ...rangeOf(at), order: 'oldest-first' }));
  const preview = usePreview(of, range);
  const isKnown = preview !== null && !(preview instanceof ApiProblem);
  const backfill = async (reason: string, key: string): Promise<void> => {
    const { inserted } = await act<BackfillResult>(
      pathOf('jobs', of.jobName, 'backfill'),
      { ...bodyOf(range), reason },
      key,
    );
    announce(`${inserted} ${inserted === 1 ? 'period waits' : 'periods wait'} to be executed.`);
    onDone();
  };
  return (
    <ReasonDialog
      title={`Backfill ${of.jobName}`}
      verb={isKnown ? `Backfill ${preview.toInsert}` : 'Backfill'}
      isReady={isKnown && preview.toInsert > 0}
      act={backfill}
      onClose={onClose}
    >
      <RangeFields of={range} onChange={setRange} />
      {preview === null && <Loading />}
      {preview instanceof ApiProblem && <ProblemNote problem={preview} />}
      {isKnown && <PreviewNote of={preview} />}
    </ReasonDialog>
  );
}

/** What a backfill would do; null = that is not known yet. */
function usePreview({ jobName }: Pick<JobDetail, 'jobName'>, range: Range): BackfillPreview | ApiProblem | null {
  const [known, setKnown] = useState<{ readonly of: Range; readonly is: BackfillPreview | ApiProblem } | null>(null);
  const body = useMemo(() => ({ ...bodyOf(range), dryRun: true }), [range]);
  useEffect(() => {
    let isWanted = true;
    const tell = (is: BackfillPreview | ApiProblem): void => {
      if (isWanted) setKnown({ of: range, is });
    };
    act<BackfillPreview>(pathOf('jobs', jobName, 'backfill'), body, newIdempotencyKey()).then(
      tell,
      (error: unknown) => {
        if (!(error instanceof ApiProblem)) throw error;
        tell(error);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [jobName, body]);
  return known?.of === range ? known.is : null;
}

function rangeOf(at: string | undefined): Pick<Range, 'from' | 'to'> {
  if (at === undefined) return lastDay(now.peek());
  const field = utcField(Date.parse(at));
  return { from: field, to: field };
}

const bodyOf = ({ from, to, order }: Range): object => ({
  from: utcInstant(from) ?? from,
  to: utcInstant(to) ?? to,
  order,
});

interface RangeFieldsProps {
  readonly of: Range;
  readonly onChange: (range: Range) => void;
}

function RangeFields({ of, onChange }: RangeFieldsProps): JSX.Element {
  const instant = (name: 'from' | 'to', text: string): JSX.Element => (
    <label class="field">
      <span>{text}</span>
      <input
        type="datetime-local"
        step={of[name].length > TO_THE_MINUTE ? 1 : undefined}
        value={of[name]}
        onChange={({ currentTarget }) => onChange({ ...of, [name]: currentTarget.value })}
      />
    </label>
  );
  return (
    <div class="range-fields">
      {instant('from', 'From (UTC)')}
      {instant('to', 'To (UTC), inclusive')}
      <label class="field">
        <span>Order</span>
        <select value={of.order} onChange={({ currentTarget }) => onChange({ ...of, order: currentTarget.value })}>
          {Object.entries(ORDERS).map(([order, text]) => (
            <option key={order} value={order}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function PreviewNote({
  of: { occurrences, toInsert, existing, pruned, first, last },
}: {
  readonly of: BackfillPreview;
}): JSX.Element {
  if (occurrences === 0) return <p>No period lies in this range.</p>;
  const done = [
    existing > 0 && `${existing} have an execution already`,
    pruned > 0 && `${pruned} had one that retention has removed`,
  ];
  return (
    <div class="preview">
      <p>
        <strong>{toInsert}</strong> of {occurrences} periods become executions
        {done.filter(Boolean).map((text) => `; ${text}`)}.
      </p>
      <p class="muted mono">{first === last ? first : `${first} … ${last}`}</p>
      <p class="muted">They run one at a time, each by the definition of its time, behind what is due now.</p>
    </div>
  );
}
