import type { JSX } from 'preact';
import type { ExecutionDetail, LogLine } from '../../api/answers.js';
import { instantText } from '../../time/instant-text.js';
import { zoneFor } from '../../time/zone.js';
import { PagedPart } from './paged-part.js';

interface LogsProps {
  readonly path: string;
  readonly of: ExecutionDetail;
}

/** What the handler wrote, in its order. */
export const Logs = ({ path, of }: LogsProps): JSX.Element => (
  <PagedPart<LogLine> isSteady of={of} title={`Log, times in ${zoneFor(of.jobName)}`} path={`${path}/logs`}>
    {(items) => (
      <ol class="log" tabIndex={0} aria-label="Log">
        {items.map((line) => (
          <li key={`${line.leaseToken}-${line.lineNo}`} class={`is-${line.level}`}>
            <time dateTime={line.at}>{instantText(Date.parse(line.at), zoneFor(of.jobName)).time}</time>
            <span class="level">{line.level}</span>
            <span class="message">
              {line.message} {hasFields(line.fields) && <span class="muted">{JSON.stringify(line.fields)}</span>}
            </span>
          </li>
        ))}
      </ol>
    )}
  </PagedPart>
);

const hasFields = (fields: unknown): boolean =>
  typeof fields === 'object' && fields !== null && Object.keys(fields).length > 0;
