import type { JSX } from 'preact';
import type { PeriodGrid } from '../../api/answers.js';
import { useResource } from '../../api/resource.js';
import { withQuery } from '../../router/route.js';
import { query } from '../../router/router.js';
import { Heading } from '../../shell/heading.js';
import { now } from '../../time/clock.js';
import { Instant } from '../../time/instant.js';
import { DAY_MS, HOUR_MS } from '../../time/spans.js';
import { Answer, Nothing } from '../../ui/answer.js';
import { Section } from '../../ui/facts.js';
import { ClearFilters } from '../../ui/filters.js';
import { Pager } from '../../ui/pager.js';
import { TimeFilter } from '../executions/time-filter.js';
import { CellField } from './cell-field.js';
import { DayGrid } from './day-grid.js';
import { HoleDialog } from './hole.js';
import { Legend } from './legend.js';
import { areDays } from './period-text.js';
import { StripGrid } from './strip-grid.js';

/** Of each job. */
const PERIODS = 40;
const DEFAULT_MS = 30 * DAY_MS;
const REST_MS = 10_000;

/** All scheduled jobs and their periods: a row a job, a cell a period. */
export function PeriodsScreen(): JSX.Element {
  const grid = useResource<PeriodGrid>(gridPath(), { restMs: REST_MS });
  return (
    <>
      <Heading title="Periods" />
      <div class="filters">
        <TimeFilter />
        <ClearFilters names={['from', 'to']} />
      </div>
      <Answer of={grid}>{(answer) => <Grid of={answer} />}</Answer>
      <HoleDialog onDone={() => grid.reload()} />
    </>
  );
}

/** By default the last thirty days; begun with an hour, so that the address stays the same for a while. */
function gridPath(): string {
  const [from, to, cursor] = ['from', 'to', 'cursor'].map((name) => query.value.get(name));
  const end = to === null || to === undefined ? now.peek() : Date.parse(to);
  const start = Math.floor((end - DEFAULT_MS) / HOUR_MS) * HOUR_MS;
  const byDefault = Number.isNaN(start) ? null : new Date(start).toISOString();
  return withQuery('/periods', { from: from ?? byDefault, to, limit: PERIODS, cursor });
}

function Grid({ of: { from, to, items, nextCursor } }: { readonly of: PeriodGrid }): JSX.Element {
  const days = items.filter((row) => areDays(row.items));
  const others = items.filter((row) => !areDays(row.items));
  if (items.length === 0) {
    return <Nothing title="There are no schedules.">A job with a schedule appears with the first start.</Nothing>;
  }
  return (
    <CellField>
      <Legend of={items.flatMap((row) => row.items)} />
      {days.length > 0 && (
        <Section title="By day" aside="a day in the zone of the job">
          <div class="grid-frame">
            <DayGrid rows={days} limit={PERIODS} />
          </div>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="In their order" aside={`the newest ${PERIODS} of each`}>
          <div class="grid-frame">
            <StripGrid rows={others} firstRow={days.length} />
          </div>
        </Section>
      )}
      <p class="muted window">
        Scheduled from <Instant at={from} /> to <Instant at={to} />, the newest {PERIODS} periods of each job.
      </p>
      <Pager nextCursor={nextCursor} first="First jobs" next="More jobs" />
    </CellField>
  );
}
