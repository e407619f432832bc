import { createRequire } from 'node:module';
import { join } from 'node:path';
import type ts from 'typescript';
import { UsageError } from '../arguments/usage-error.js';

/** The part of the compiler that reads sources. */
export type TypeScript = typeof ts;

/**
 * The TypeScript of the project that a folder belongs to: it reads the sources as they are compiled, and this package needs
 * none of its own.
 * @throws UsageError when the project has none that can be used.
 */
export function loadTypeScript(folder: string): TypeScript {
  let found: Partial<TypeScript>;
  try {
    found = createRequire(join(folder, 'package.json'))('typescript') as Partial<TypeScript>;
  } catch {
    throw new UsageError(
      `Reading sources takes the TypeScript of the project, and ${folder} finds none: npm install -D typescript.`,
    );
  }
  if (typeof found.createSourceFile === 'function' && typeof found.getDecorators === 'function') {
    return found as TypeScript;
  }
  throw new UsageError(
    `The TypeScript ${found.version ?? ''} of ${folder} cannot be used to read sources: 5 and 6 can.`,
  );
}
