import { describe, expect, it } from 'vitest';
import type { ExecutionState } from '../execution/execution-state.js';
import type { ChangeSnapshot } from '../ports/change-reader.js';
import { changesBetween, toWatch } from './changes.js';

const look = (states: Record<string, ExecutionState>, heads: Partial<ChangeSnapshot> = {}): ChangeSnapshot => ({
  states: new Map(Object.entries(states)),
  operations: '1',
  alerts: '1/0',
  ...heads,
});

describe('changes between two looks', () => {
  it('are executions that are new or in another state', () => {
    const before = look({ 1: 'running', 2: 'pending', 3: 'succeeded' });
    const after = look({ 1: 'failed', 2: 'pending', 4: 'pending' });
    expect(changesBetween(before, after)).toEqual([
      {
        executions: [
          { id: '1', state: 'failed' },
          { id: '4', state: 'pending' },
        ],
      },
    ]);
    expect(changesBetween(after, after)).toEqual([]);
  });

  it('are what people did, and alerts that were raised or closed', () => {
    expect(changesBetween(look({}), look({}, { operations: '2', alerts: '1/1' }))).toEqual([
      { topic: 'operations' },
      { topic: 'alerts' },
    ]);
  });

  it('are looked for among those that have not ended, a bounded number of the newest', () => {
    expect(toWatch(look({ 1: 'running', 2: 'failed', 10: 'pending' }))).toEqual(['10', '1']);
    const many = Array.from({ length: 600 }, (_, id) => [String(id), 'pending'] as const);
    expect(toWatch(look(Object.fromEntries(many)))).toHaveLength(500);
  });
});
