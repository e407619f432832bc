import { describe, expect, it } from 'vitest';
import { schemaProblem } from './schema-version.js';

describe('schemaProblem', () => {
  it.each([
    ['nothing there', null, /Run migrate\(dataSource/],
    [
      'an older schema',
      { version: 2, oldest_working_version: 1 },
      /has version 2, this package needs 3\. Run migrate\(/,
    ],
    ['the same version', { version: 3, oldest_working_version: 2 }, /^fits$/],
    ['a newer one that still works', { version: 5, oldest_working_version: 3 }, /^fits$/],
    ['a newer one that does not', { version: 5, oldest_working_version: 4 }, /needs at least 4\. Update the package\./],
  ])('judges %s', (_name, found, text) => {
    expect(schemaProblem('jobs', found, 3) ?? 'fits').toMatch(text);
  });
});
