import type { JSX } from 'preact';
import type { ScheduleDetail } from '../../api/answers.js';
import { Ago, Instant } from '../../time/instant.js';
import { zoneFor } from '../../time/zone.js';
import { Section } from '../../ui/facts.js';
import { Marked } from '../../ui/state.js';
import { Table, type Column } from '../../ui/table.js';
import { fireNote, type Fire } from './fire-note.js';

/** When a schedule fired last and will fire, by the clocks of its zone; what a change of the clocks does is marked. */
export function UpcomingFires({ of }: { readonly of: ScheduleDetail }): JSX.Element | null {
  const { jobName, previousAt, timeZone, upcoming } = of;
  const aside = (
    <>
      last fire: <Instant at={previousAt} job={jobName} />
    </>
  );
  return (
    <Section title="Next fires" aside={previousAt !== null && aside}>
      {upcoming.length === 0 ? (
        <p class="muted">None: it is disabled or suspended, or its expression names no time to come.</p>
      ) : (
        <Table
          caption={`Next fires by the clocks of ${timeZone}`}
          columns={columnsOf(of)}
          rows={upcoming}
          keyOf={({ scheduledFor }) => scheduledFor}
        />
      )}
    </Section>
  );
}

function columnsOf({ jobName, timeZone }: ScheduleDetail): readonly Column<Fire>[] {
  const lookedAt = zoneFor(jobName);
  const ownClock: Column<Fire> = {
    head: lookedAt,
    cell: ({ scheduledFor }) => <Instant at={scheduledFor} job={jobName} />,
  };
  return [
    { head: timeZone, cell: ({ localTime }) => localTime.replace('T', ' ') },
    ...(lookedAt === timeZone ? [] : [ownClock]),
    { head: 'Period', cell: ({ period }) => period },
    { head: 'Note', grows: true, cell: (fire) => <Note of={fire} /> },
    { head: 'From now', align: 'end', cell: ({ scheduledFor }) => <Ago at={scheduledFor} job={jobName} /> },
  ];
}

function Note({ of }: { readonly of: Fire }): JSX.Element | null {
  const text = fireNote(of);
  if (text === '') return null;
  return <Marked mark={of.skip === null ? 'attention' : 'skipped'} text={text} />;
}
