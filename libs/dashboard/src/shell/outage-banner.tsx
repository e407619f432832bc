import type { JSX } from 'preact';
import { outage } from '../api/outage.js';
import { Ago } from '../time/instant.js';
import { ProblemNote } from '../ui/answer.js';

/** Says on every screen that nothing can be read, and how old what is shown is: old figures must not pass for the present. */
export function OutageBanner(): JSX.Element | null {
  if (outage.value === null) return null;
  const { problem, readAt } = outage.value;
  return (
    <div class="outage">
      <ProblemNote problem={problem}>
        {readAt !== null && (
          <>
            What is shown was read <Ago at={new Date(readAt).toISOString()} />.
          </>
        )}
      </ProblemNote>
    </div>
  );
}
