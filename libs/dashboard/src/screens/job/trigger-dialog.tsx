import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Triggered } from '../../api/answers.js';
import { act } from '../../api/client.js';
import { ApiProblem } from '../../api/problem.js';
import { pathOf } from '../../router/route.js';
import { announce } from '../../ui/announce.js';
import { ReasonDialog } from '../../ui/reason-dialog.js';
import type { JobDialogProps } from './job-dialog.js';

/** Makes one execution by hand: of a period, or with a payload. */
export function TriggerDialog({ of, onDone, onClose }: JobDialogProps): JSX.Element {
  const [text, setText] = useState('');
  const trigger = async (reason: string, idempotencyKey: string): Promise<void> => {
    const body = {
      reason,
      ...(of.paused === null ? {} : { force: true }),
      ...(text.trim() === '' ? {} : of.scheduled ? { period: text.trim() } : { payload: parsed(text) }),
    };
    const { execution, created } = await act<Triggered>(pathOf('jobs', of.jobName, 'trigger'), body, idempotencyKey);
    const key = execution?.key ?? of.jobName;
    announce(created ? `${key} waits to be executed.` : `${key} was there already: nothing was made.`);
    onDone();
  };
  return (
    <ReasonDialog title={`Trigger ${of.jobName}`} verb="Trigger" act={trigger} onClose={onClose}>
      <p>
        One more execution waits in the queue at once.
        {of.paused !== null && ' The job is paused: it stays there until the job is resumed.'}
      </p>
      {of.scheduled ? <PeriodField value={text} onInput={setText} /> : <PayloadField value={text} onInput={setText} />}
    </ReasonDialog>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

const PeriodField = ({ value, onInput }: FieldProps): JSX.Element => (
  <label class="field">
    <span>Period</span>
    <input
      value={value}
      placeholder="none"
      autocomplete="off"
      spellcheck={false}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
    <span class="muted">
      The label of one that has begun, such as 2026-08-14: it is the execution that a tick would have made.
    </span>
  </label>
);

const PayloadField = ({ value, onInput }: FieldProps): JSX.Element => (
  <label class="field">
    <span>Payload</span>
    <textarea
      class="mono"
      rows={6}
      spellcheck={false}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
    <span class="muted">JSON; empty = without one.</span>
  </label>
);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiProblem(0, 'NOT_JSON', `The payload is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}
