import type { JSX } from 'preact';
import { Fragment } from 'preact';
import { Instant } from './instant.js';

const INSTANTS = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

interface SentenceProps {
  readonly text: string;
  /** Whose zone its instants are shown in when people look at the jobs' zones. */
  readonly job?: string | null;
}

/** A sentence of the server, with the instants in it on the chosen clock as all others. */
export const Sentence = ({ text, job = null }: SentenceProps): JSX.Element => (
  <>
    {text.split(INSTANTS).map((part, index) => (
      // what the pattern has found stands at the odd places
      <Fragment key={index}>{index % 2 === 1 ? <Instant at={part} job={job} /> : part}</Fragment>
    ))}
  </>
);
