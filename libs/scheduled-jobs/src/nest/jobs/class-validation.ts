import { plainToInstance } from 'class-transformer';
import { validate, type ValidationError } from 'class-validator';
import { thrownText } from '../../core/execution/stored-error.js';

const MAX_PROBLEMS = 20;

/** A plain object turned into an instance of a class, or why it breaks the rules of that class. */
export type Validated<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: null; readonly problems: readonly string[] };

/**
 * Turns plain data into an instance of `type` and checks it by the class-validator rules of `type`. Properties without a
 * rule are refused or, with `ignore`, left out.
 */
export async function validateAs<T extends object>(
  type: new () => T,
  plain: unknown,
  unknownProperties: 'refuse' | 'ignore',
): Promise<Validated<T>> {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    return { value: null, problems: [`must be an object, got ${kindOf(plain)}`] };
  }
  try {
    const value = plainToInstance(type, plain);
    const errors = await validate(value, {
      whitelist: true,
      forbidNonWhitelisted: unknownProperties === 'refuse',
      forbidUnknownValues: false,
      validationError: { target: false, value: false },
    });
    if (errors.length === 0) return { value, problems: [] };
    return { value: null, problems: errors.flatMap((error) => problemsOf(error, '')).slice(0, MAX_PROBLEMS) };
  } catch (error) {
    return { value: null, problems: [`cannot be read: ${thrownText(error)}`] };
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function problemsOf(error: ValidationError, parent: string): readonly string[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((text) => (parent === '' ? text : `${path}: ${text}`));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, path))];
}
