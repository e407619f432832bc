import { describe, expect, it } from 'vitest';
import {
  canTransition,
  EXECUTION_STATES,
  FINAL_STATES,
  INITIAL_STATES,
  isCounted,
  isFinal,
} from './execution-state.js';

describe('execution states', () => {
  it('can all be reached from a birth', () => {
    const reached = new Set(INITIAL_STATES);
    for (let before = -1; before !== reached.size;) {
      before = reached.size;
      for (const from of reached) {
        for (const to of EXECUTION_STATES) if (canTransition(from, to)) reached.add(to);
      }
    }
    expect([...reached].toSorted()).toEqual([...EXECUTION_STATES].toSorted());
  });

  it('leave a final state only by replay', () => {
    for (const from of FINAL_STATES) {
      expect(EXECUTION_STATES.filter((to) => canTransition(from, to))).toEqual(['pending']);
    }
  });

  it('end only from a state that was running or waiting', () => {
    expect(canTransition('pending', 'succeeded')).toBe(false);
    expect(canTransition('retrying', 'succeeded')).toBe(false);
    expect(canTransition('running', 'succeeded')).toBe(true);
    expect(canTransition('running', 'skipped')).toBe(false);
  });

  it('know which are final and which attempts count', () => {
    expect(EXECUTION_STATES.filter(isFinal)).toEqual([...FINAL_STATES]);
    expect(isCounted('lost')).toBe(true);
    expect(isCounted('interrupted')).toBe(false);
    expect(isCounted('deferred')).toBe(false);
  });
});
