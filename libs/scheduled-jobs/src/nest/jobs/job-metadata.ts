import { InvalidOptionsError } from '../../core/errors.js';
import type { DeclaredJob } from '../../core/job/declared-job.js';

/** What a decorator says about one method, unchecked: mistakes are reported together when the application starts. */
export interface JobDeclaration extends Omit<DeclaredJob, 'place'> {
  readonly method: string | symbol;
}

// On the class and not on the function, which other decorators replace; by Symbol.for, so that a second copy of this
// package reads what the first one wrote.
const JOBS = Symbol.for('nestjs-scheduled-jobs/jobs');

type Class = abstract new (...args: never[]) => unknown;

/** Classes that carry a job themselves, in the order in which they were loaded. */
const decorated = new Set<Class>();

const ownDeclarations = (metatype: object): readonly JobDeclaration[] =>
  (Reflect.getOwnMetadata(JOBS, metatype) as readonly JobDeclaration[] | undefined) ?? [];

/**
 * Remembers a declaration on the class of `prototype`.
 * @throws InvalidOptionsError when it does not decorate a method of instances, which is all that a provider can run.
 */
export function declareJob(prototype: object, declaration: JobDeclaration): void {
  const { method } = declaration;
  const isStatic = typeof prototype === 'function';
  if (isStatic || typeof Object.getOwnPropertyDescriptor(prototype, method)?.value !== 'function') {
    const owner = isStatic ? prototype : prototype.constructor;
    throw new InvalidOptionsError([
      `${owner.name}.${String(method)} is ${isStatic ? 'static' : 'not a method'}. Decorate a method of a provider's instances.`,
    ]);
  }
  const metatype = prototype.constructor as Class;
  decorated.add(metatype);
  Reflect.defineMetadata(JOBS, [...ownDeclarations(metatype), declaration], metatype);
}

/** Decorated classes that are loaded, and that none of these classes is or extends: nothing runs their jobs. */
export function unprovidedClasses(provided: readonly unknown[]): readonly Class[] {
  const covered = new Set<unknown>();
  for (const metatype of provided) {
    for (let current = metatype; isClass(current); current = Object.getPrototypeOf(current) as unknown)
      covered.add(current);
  }
  return [...decorated].filter((metatype) => !covered.has(metatype));
}

/**
 * The declarations of a class and its ancestors, each method once: a subclass that overrides a method without a decorator
 * keeps the job, one that decorates it again replaces it.
 */
export function declaredJobs(metatype: unknown): readonly JobDeclaration[] {
  const found: JobDeclaration[] = [];
  for (let current = metatype; isClass(current); current = Object.getPrototypeOf(current) as unknown) {
    const known = new Set(found.map(({ method }) => method));
    found.push(...ownDeclarations(current).filter(({ method }) => !known.has(method)));
  }
  return found;
}

const isClass = (value: unknown): value is Class => typeof value === 'function' && value !== Function.prototype;
