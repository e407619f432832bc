import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Backfill } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { mayOperate } from '../../api/session.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery, type RouteParams } from '../../router/route.js';
import { Heading } from '../../shell/heading.js';
import { Instant } from '../../time/instant.js';
import { Answer } from '../../ui/answer.js';
import { Facts } from '../../ui/facts.js';
import { BackfillProgress, BackfillState } from './backfill-progress.js';
import { CancelBackfillDialog } from './cancel-backfill-dialog.js';

/** One backfill: what was asked for, by whom, and how far it has come. */
export function BackfillScreen({ params: { id = '' } }: { readonly params: RouteParams }): JSX.Element {
  const [isAsked, setAsked] = useState(false);
  const backfill = useResource<Backfill>(pathOf('backfills', id), { isSteady: true });
  const known = backfill.state.value.data;
  return (
    <>
      <Heading title={`Backfill ${id}`} above={<Above of={known} />}>
        {known?.state === 'open' && mayOperate() && (
          <button type="button" onClick={() => setAsked(true)}>
            Cancel
          </button>
        )}
      </Heading>
      <Answer of={backfill}>{(of) => <Parts of={of} />}</Answer>
      {isAsked && known !== undefined && (
        <CancelBackfillDialog of={known} onDone={() => backfill.reload()} onClose={() => setAsked(false)} />
      )}
    </>
  );
}

const Above = ({ of }: { readonly of: Backfill | undefined }): JSX.Element => (
  <>
    <Link to="/backfills">Backfills</Link>
    {of !== undefined && (
      <>
        {' · '}
        <Link to={pathOf('jobs', of.jobName)}>{of.jobName}</Link>
        {' · '}
        <Link to={executionsPath(of)}>its executions</Link>
      </>
    )}
  </>
);

/** The list of executions goes up to an instant, this one with it. */
const executionsPath = ({ jobName, from, to }: Backfill): string =>
  withQuery('/executions', {
    job: jobName,
    trigger: 'backfill',
    from,
    to: new Date(Date.parse(to) + 1).toISOString(),
  });

const Parts = ({ of }: { readonly of: Backfill }): JSX.Element => (
  <>
    <p class="standing">
      <BackfillState of={of} />
    </p>
    <p>
      <BackfillProgress of={of} />
    </p>
    <Facts of={{ ...askedOf(of), ...countsOf(of) }} />
  </>
);

type FactsOf = Readonly<Record<string, ComponentChildren>>;

const askedOf = ({ jobName: job, from, to, order, actor, reason, createdAt, ...cancel }: Backfill): FactsOf => ({
  Periods: (
    <>
      <Instant at={from} job={job} /> – <Instant at={to} job={job} />
    </>
  ),
  Order: order.replace('-', ' '),
  'Asked at': <Instant at={createdAt} job={job} />,
  'Asked by': `${actor ?? 'somebody'}: ${reason ?? ''}`,
  'Canceled at': cancel.canceledAt && <Instant at={cancel.canceledAt} job={job} />,
  'Canceled by': cancel.canceledAt && `${cancel.canceledBy ?? 'somebody'}: ${cancel.cancelReason ?? ''}`,
});

const countsOf = ({ occurrences, inserted, existing, pruned }: Backfill): FactsOf => ({
  'Periods in the range': occurrences,
  'Became executions': inserted,
  'Had one already': existing,
  'Had one that was removed': pruned === 0 ? null : pruned,
});
