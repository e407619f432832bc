import { expect, it } from 'vitest';
import { fireNote } from './fire-note.js';

it('says what a change of the clocks does to a fire, and nothing of an ordinary one', () => {
  expect(fireNote({ skip: null, marks: [] })).toBe('');
  expect(fireNote({ skip: 'dst-gap', marks: [] })).toBe('Left out: this hour is missing');
  expect(fireNote({ skip: null, marks: ['moved-by-gap'] })).toBe('Moved: its hour is missing');
  expect(fireNote({ skip: null, marks: ['clocks-changed', 'second-pass'] })).toBe(
    'Clocks have changed since the fire before; this hour comes twice: the second',
  );
});
