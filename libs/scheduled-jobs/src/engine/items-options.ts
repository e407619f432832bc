import { InvalidOptionsError, PermanentError } from '../core/errors.js';
import { textProblem } from '../core/execution/storable-text.js';
import { OptionReader, shown } from '../core/job/option-reader.js';
import type { ItemKey, ItemsOptions } from '../core/job/run-items.js';

type Load<T, Tx> = Exclude<ItemsOptions<T, Tx>['load'], undefined>;

/** Options of `run.items` with their defaults. */
export type ResolvedItemsOptions<T, Tx> = Required<Omit<ItemsOptions<T, Tx>, 'load'>> & {
  readonly load: Load<T, Tx> | null;
};

const NAMES = ['name', 'source', 'key', 'size', 'onError', 'maxFailures', 'frozen', 'load'];
const DEFAULTS = { size: 100, onError: 'fail', maxFailures: 100 } as const;
const MAX_KEY_LENGTH = 300;
const ITEMS_NAME = { pattern: /^[^\0\p{Surrogate}]{1,100}$/u, hint: '1–100 characters' } as const;

/** @throws InvalidOptionsError with every problem. */
export function resolveItemsOptions<T, Tx>(options: ItemsOptions<T, Tx>): ResolvedItemsOptions<T, Tx> {
  const problems: string[] = [];
  const reader = new OptionReader(options, 'run.items', problems);
  reader.allowOnly(NAMES);
  const frozen = reader.boolean('frozen', false);
  for (const required of ['name', 'source', 'key', ...(frozen ? ['load'] : [])]) {
    if (reader.raw(required) === undefined) reader.refuse(required, 'is required');
  }
  const resolved = {
    name: reader.text('name', '', ITEMS_NAME),
    source: reader.function<ItemsOptions<T, Tx>['source']>('source'),
    key: reader.function<ItemsOptions<T, Tx>['key']>('key'),
    size: reader.integer('size', DEFAULTS.size, { min: 1, max: 10_000 }),
    onError: reader.oneOf('onError', DEFAULTS.onError, ['fail', 'skip']),
    maxFailures: reader.integer('maxFailures', DEFAULTS.maxFailures, { min: 0, max: 1_000_000 }),
    frozen,
    load: reader.function<Load<T, Tx>>('load'),
  };
  if (problems.length > 0 || resolved.source === null || resolved.key === null) throw new InvalidOptionsError(problems);
  return { ...resolved, source: resolved.source, key: resolved.key };
}

/** The key of an item. @throws PermanentError when it cannot be one. */
export function keyOf<T>({ name, key }: ResolvedItemsOptions<T, never>, item: T): ItemKey {
  const given: unknown = key(item);
  const problem = itemKeyProblem(given);
  if (problem === null) return given as ItemKey;
  throw new PermanentError(`The key of an item of "${name}" ${problem}.`);
}

function itemKeyProblem(key: unknown): string | null {
  if (Number.isFinite(key)) return null;
  if (typeof key !== 'string') return `must be a string or a number, got ${shown(key)}`;
  if (key.length < 1 || key.length > MAX_KEY_LENGTH) {
    return `must have 1 to ${MAX_KEY_LENGTH} characters, got ${key.length}`;
  }
  return textProblem(key);
}
