import { InvalidOptionsError } from '../core/errors.js';

/**
 * Loads a package that only some applications have.
 * @throws InvalidOptionsError when it is not installed.
 */
export async function optionalPeer<T>(name: string, option: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new InvalidOptionsError([
      `JobsObservabilityModule.${option} needs the package ${name}. Install it: npm install ${name}`,
    ]);
  }
}
