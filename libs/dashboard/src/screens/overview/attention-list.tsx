import type { JSX } from 'preact';
import type { Attention } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { Marked } from '../../ui/state.js';
import { attentionMark, attentionPath } from './attention-path.js';

/** What somebody should look at; each line leads to where something can be done about it. */
export function AttentionList({ of }: { readonly of: readonly Attention[] }): JSX.Element {
  if (of.length === 0) {
    return (
      <p class="all-well">
        <Marked mark="good" text="Nothing needs attention." />
      </p>
    );
  }
  return (
    <ul class="attention" aria-label="Needs attention">
      {of.map((each) => (
        <li key={`${each.kind} ${each.subject}`}>
          <Link to={attentionPath(each)}>
            <Marked mark={attentionMark(each.kind)} text={each.subject} />
            <span class="attention-text">{each.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
