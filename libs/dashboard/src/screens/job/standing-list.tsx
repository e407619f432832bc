import type { JSX } from 'preact';
import type { JobDetail, ScheduleDetail } from '../../api/answers.js';
import { Ago } from '../../time/instant.js';
import { Marked } from '../../ui/state.js';
import { standingsOf } from './standings.js';

interface StandingsProps {
  readonly job: JobDetail;
  readonly schedule: ScheduleDetail | null;
}

/** How a job stands, one line for each thing that keeps it from work, and when it runs in words. */
export function Standings({ job, schedule }: StandingsProps): JSX.Element {
  return (
    <div class="standing">
      {standingsOf(job, schedule).map(({ mark, text, since, note }) => (
        <p key={text} class="standing-line">
          <Marked mark={mark} text={text} />{' '}
          <span>
            {since !== null && <Ago at={since} job={job.jobName} />} {note}
          </span>
        </p>
      ))}
      {schedule !== null && (
        <p class="why">
          {schedule.description ?? `This process cannot read the expression (${schedule.timeZone}):`}{' '}
          <code class="muted">{schedule.expression}</code>
        </p>
      )}
    </div>
  );
}
