import type { DynamicModule, Type } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidRequestError } from '../../core/errors.js';
import { nearest } from '../../core/job/nearest-name.js';
import { UsageError } from '../arguments/usage-error.js';

/** Where Nest keeps what `@Module` was given, on the class. */
const MODULE_METADATA = ['imports', 'providers', 'controllers', 'exports'] as const;
const USUAL_NAME = 'AppModule';
const SOURCE = /\.[cm]?tsx?$/;

/**
 * The root module of an application, from `file` or `file#ExportName`: by default the only module that the file exports,
 * or `AppModule`.
 *
 * @param place The file is relative to `folder`, and is built: what Node can import.
 * @throws UsageError when there is no such file or export; an Error that says why when the file cannot be loaded.
 */
export async function loadModule(place: string, folder: string): Promise<Type | DynamicModule> {
  const [file, name] = split(place);
  if (SOURCE.test(file))
    throw new UsageError(`${file} is a source. Give the built .js file, such as dist/app.module.js.`);
  const path = resolve(folder, file);
  if (!existsSync(path)) throw new UsageError(`There is no file ${path}. Build the application first.`);
  const exported = await load(path);
  return name === undefined ? onlyModule(exported, file) : namedModule(exported, name, file);
}

function split(place: string): readonly [file: string, name?: string] {
  const at = place.lastIndexOf('#');
  return at < 0 ? [place] : [place.slice(0, at), place.slice(at + 1)];
}

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (error instanceof InvalidRequestError) throw error; // The file starts the application.
    throw new Error(`${path} cannot be loaded:`, { cause: error });
  }
}

function onlyModule(exported: Readonly<Record<string, unknown>>, file: string): Type | DynamicModule {
  // One class may have two names.
  const modules = new Map(Object.entries(exported).filter(([, value]) => isModuleClass(value)));
  const usual =
    modules.get(USUAL_NAME) ?? (new Set(modules.values()).size === 1 ? [...modules.values()][0] : undefined);
  if (usual !== undefined) return usual as Type;
  if (modules.size === 0) {
    throw new UsageError(
      `${file} exports no class with @Module. Give the file of the module, not the one that starts it.`,
    );
  }
  throw new UsageError(
    `${file} exports several modules: ${[...modules.keys()].join(', ')}. Name one, such as ${file}#${[...modules.keys()][0]}.`,
  );
}

function namedModule(exported: Readonly<Record<string, unknown>>, name: string, file: string): Type | DynamicModule {
  const found = exported[name];
  if (isModuleClass(found) || isDynamicModule(found)) return found;
  const names = Object.keys(exported);
  const meant = nearest(name, names);
  const hint = meant === null || meant === name ? '' : ` Did you mean ${file}#${meant}?`;
  throw new UsageError(`${file} exports no module "${name}".${hint}`);
}

const isModuleClass = (value: unknown): value is Type =>
  typeof value === 'function' && MODULE_METADATA.some((key) => Reflect.hasOwnMetadata(key, value));

const isDynamicModule = (value: unknown): value is DynamicModule =>
  typeof value === 'object' && value !== null && typeof (value as { module?: unknown }).module === 'function';
