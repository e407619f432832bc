import type { DynamicModule, Type } from '@nestjs/common';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadModule } from './load-module.js';
import { UsageError } from '../arguments/usage-error.js';

const module = (name: string) => `export class ${name} {}\nReflect.defineMetadata('providers', [], ${name});\n`;
const FILES = {
  'one.mjs': `${module('Orders')}export class Helper {}\nexport const count = 1;`,
  'usual.mjs': `${module('Orders')}${module('AppModule')}`,
  'several.mjs': `${module('Orders')}${module('Points')}export const made = { module: Orders };`,
  'twice.mjs': `${module('Orders')}export { Orders as Shop };`,
  'none.mjs': 'export class Helper {}',
  'broken.mjs': `throw new Error('DATABASE_URL is missing');`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'load-module-test-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const nameOf = (found: Type | DynamicModule): string =>
  'module' in found ? `made of ${found.module.name}` : found.name;
const load = (place: string) => loadModule(place, folder);

describe('loadModule', () => {
  it.each([
    ['one.mjs', 'Orders'],
    ['usual.mjs', 'AppModule'],
    ['usual.mjs#Orders', 'Orders'],
    ['twice.mjs', 'Orders'],
  ])('finds in %s the module %s', async (place, name) => {
    expect(nameOf(await load(place))).toBe(name);
  });

  it('takes a dynamic module that is named, and a path from the root', async () => {
    expect(nameOf(await load('several.mjs#made'))).toBe('made of Orders');
    expect(nameOf(await load(join(folder, 'one.mjs')))).toBe('Orders');
  });

  it.each([
    ['missing.mjs', /^There is no file .*missing\.mjs\. Build the application first\.$/],
    ['src/app.module.ts#AppModule', 'src/app.module.ts is a source. Give the built .js file, such as'],
    ['several.mjs', 'several.mjs exports several modules: Orders, Points. Name one, such as several.mjs#Orders.'],
    ['several.mjs#Order', 'several.mjs exports no module "Order". Did you mean several.mjs#Orders?'],
    ['one.mjs#Helper', 'one.mjs exports no module "Helper".'],
    ['one.mjs#toString', 'one.mjs exports no module "toString".'],
    ['none.mjs', 'none.mjs exports no class with @Module. Give the file of the module, not the one that starts it.'],
  ])('refuses %s', async (place, text) => {
    const refused = load(place);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(text);
  });

  it('passes on why a file cannot be loaded', async () => {
    await expect(load('broken.mjs')).rejects.toMatchObject({
      message: expect.stringMatching(/broken\.mjs cannot be loaded:$/),
      cause: { message: 'DATABASE_URL is missing' },
    });
  });
});
