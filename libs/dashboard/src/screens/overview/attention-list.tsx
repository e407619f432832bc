import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Attention } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { Sentence } from '../../time/sentence.js';
import { Section } from '../../ui/facts.js';
import { Marked } from '../../ui/state.js';
import { attentionMark, attentionPath } from './attention-path.js';

/** Before somebody asks for more. */
const SHOWN = 12;

/** What somebody should look at; each line leads to where something can be done about it. */
export function AttentionList({ of }: { readonly of: readonly Attention[] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const more = isWhole ? 0 : of.length - SHOWN;
  if (of.length === 0) {
    return (
      <Section title="Needs attention">
        <Marked mark="good" text="Nothing does." />
      </Section>
    );
  }
  return (
    <Section title="Needs attention" aside={of.length}>
      <ul class="attention">
        {of.slice(0, isWhole ? of.length : SHOWN).map((each) => (
          <li key={`${each.kind} ${each.subject}`}>
            <Link to={attentionPath(each)}>
              <Marked mark={attentionMark(each.kind)} text={each.subject} />
              <span class="attention-text">
                <Sentence text={each.text} job={each.subject} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show {more} more
        </button>
      )}
    </Section>
  );
}
