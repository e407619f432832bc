import { isFinal, type ExecutionState } from '../execution/execution-state.js';
import type { ChangeSnapshot } from '../ports/change-reader.js';

/** A hint that something has changed, for whoever shows it to read it anew. */
export type Change =
  | { readonly executions: readonly { readonly id: string; readonly state: ExecutionState }[] }
  /** `operations` = somebody did something by hand; `alerts` = one was raised or closed. */
  | { readonly topic: 'operations' | 'alerts' };

const MAX_WATCHED = 500;

/** What differs between two looks. */
export function changesBetween(before: ChangeSnapshot, after: ChangeSnapshot): readonly Change[] {
  const executions = [...after.states]
    .filter(([id, state]) => before.states.get(id) !== state)
    .map(([id, state]) => ({ id, state }));
  return [
    ...(executions.length === 0 ? [] : [{ executions }]),
    ...(before.operations === after.operations ? [] : [{ topic: 'operations' } as const]),
    ...(before.alerts === after.alerts ? [] : [{ topic: 'alerts' } as const]),
  ];
}

/** The executions to look at again, though newer ones may have come: those that have not ended, the newest 500. */
export const toWatch = ({ states }: ChangeSnapshot): readonly string[] =>
  [...states]
    .filter(([, state]) => !isFinal(state))
    .map(([id]) => id)
    .toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
    .slice(0, MAX_WATCHED);
