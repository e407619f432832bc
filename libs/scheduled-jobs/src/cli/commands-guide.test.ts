import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.js';

const guide = readFileSync(new URL('../../../../docs/guides/commands.md', import.meta.url), 'utf8');

describe('docs/guides/commands.md', () => {
  it.each(COMMANDS)('shows what $name --help says', ({ name, usage }) => {
    expect(guide).toContain(`## ${name}\n\n\`\`\`text\n${usage}\n\`\`\`\n`);
  });

  it('has a section for each command and for no other', () => {
    const sections = [...guide.matchAll(/^## ([a-z]+)$/gm)].map(([, name]) => name);
    expect(sections).toEqual(COMMANDS.map(({ name }) => name));
  });

  it('names the members of the JSON of each command', () => {
    const rows = [...guide.matchAll(/^\| ((?:`[a-z -]+`(?:, )?)+) +\| (`[a-zA-Z]+`.*) \|$/gm)];
    const named = rows.flatMap(([, names = '']) => names.split(', ').map((name) => name.replaceAll('`', '')));
    expect(named).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)));
  });
});
