import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DeadLetterGroups, ExecutionSummary, Page } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { mayOperate } from '../../api/session.js';
import { withQuery, type QueryValue } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';
import { ClearFilters, TextFilter } from '../../ui/filters.js';
import { Pager } from '../../ui/pager.js';
import { ExecutionTable } from '../executions/execution-table.js';
import { AcknowledgeDialog } from './acknowledge-dialog.js';
import type { BulkFilter } from './bulk.js';
import { GroupTable, type BulkActionName } from './group-table.js';
import { ReplayDialog } from './replay-dialog.js';

const FILTERS = ['job', 'queue', 'fingerprint'] as const;

const DIALOGS = { replay: ReplayDialog, acknowledge: AcknowledgeDialog } as const;

/** What somebody wants to do to those that a filter means. */
interface Asked {
  readonly action: BulkActionName;
  readonly filter: BulkFilter;
}

/** Failures that nobody has acknowledged: by kind of error, and one by one. */
export function DeadLettersScreen(): JSX.Element {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { job, queue, ...rest } = filterOfAddress();
  const filter = { job, queue, ...rest };
  const isFiltered = Object.values(filter).some((value) => value !== null);
  const groups = useResource<DeadLetterGroups>(withQuery('/dead-letters/groups', { job, queue }));
  const listPath = withQuery('/dead-letters', { ...filter, cursor: query.value.get('cursor') });
  const list = useResource<Page<ExecutionSummary>>(listPath, query.value.has('cursor') ? { pollMs: 0 } : {});
  const reload = (): void => {
    groups.reload();
    list.reload();
  };
  return (
    <>
      <Heading title="Dead letters">
        {mayOperate() && isFiltered && (
          <FilterButtons onAsk={(action) => setAsked({ action, filter: given(filter) })} />
        )}
      </Heading>
      <div class="filters">
        <TextFilter name="job" text="Job" />
        <TextFilter name="queue" text="Queue" />
        {query.value.has('fingerprint') && <TextFilter name="fingerprint" text="Kind of error" />}
        <ClearFilters names={FILTERS} />
      </div>
      <Answer of={groups}>
        {({ items, capped }) =>
          items.length > 0 && (
            <Section title="By kind of error" aside={capped ? 'of the newest 10,000' : undefined}>
              <GroupTable
                groups={items}
                onAsk={(action, own) => setAsked({ action, filter: { ...given({ job, queue }), ...own } })}
              />
            </Section>
          )
        }
      </Answer>
      <Answer of={list}>{(page) => <List of={page} isFiltered={isFiltered} />}</Answer>
      {asked !== null && <Dialog of={asked} onDone={reload} onClose={() => setAsked(null)} />}
    </>
  );
}

function FilterButtons({ onAsk }: { readonly onAsk: (action: BulkActionName) => void }): JSX.Element {
  return (
    <>
      <button type="button" onClick={() => onAsk('acknowledge')}>
        Acknowledge what the filter means …
      </button>
      <button type="button" onClick={() => onAsk('replay')}>
        Replay what the filter means …
      </button>
    </>
  );
}

interface DialogProps {
  readonly of: Asked;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function Dialog({ of: { action, filter }, ...rest }: DialogProps): JSX.Element {
  const Named = DIALOGS[action];
  return <Named filter={filter} {...rest} />;
}

const filterOfAddress = (): Readonly<Record<(typeof FILTERS)[number], string | null>> => ({
  job: query.value.get('job'),
  queue: query.value.get('queue'),
  fingerprint: query.value.get('fingerprint'),
});

const given = (filter: Readonly<Record<string, QueryValue>>): BulkFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));

interface ListProps {
  readonly of: Page<ExecutionSummary>;
  readonly isFiltered: boolean;
}

function List({ of: { items, nextCursor }, isFiltered }: ListProps): JSX.Element {
  if (items.length === 0) {
    return isFiltered ? (
      <Nothing title="No dead letter fits this filter.">Take a part of the filter away.</Nothing>
    ) : (
      <Nothing title="There are no dead letters.">Every failure was replayed or acknowledged.</Nothing>
    );
  }
  return (
    <Section title="One by one">
      <ExecutionTable rows={items} />
      <Pager nextCursor={nextCursor} />
    </Section>
  );
}
