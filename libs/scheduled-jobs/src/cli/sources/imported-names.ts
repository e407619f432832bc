import type ts from 'typescript';
import type { TypeScript } from './load-typescript.js';

/** A name as the module that exports it has it; `*` = the module itself. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

/** What a file imports, by its own names for it. */
export function importedNames(compiler: TypeScript, file: ts.SourceFile): ReadonlyMap<string, ImportedName> {
  const names = new Map<string, ImportedName>();
  for (const statement of file.statements) {
    if (!compiler.isImportDeclaration(statement) || !compiler.isStringLiteral(statement.moduleSpecifier)) continue;
    const module = statement.moduleSpecifier.text;
    const { name, namedBindings } = statement.importClause ?? {};
    if (name !== undefined) names.set(name.text, { module, name: '*' });
    if (namedBindings === undefined) continue;
    if (compiler.isNamespaceImport(namedBindings)) names.set(namedBindings.name.text, { module, name: '*' });
    else
      for (const one of namedBindings.elements)
        names.set(one.name.text, { module, name: (one.propertyName ?? one.name).text });
  }
  return names;
}

/** What an expression such as `Cron` or `schedule.Cron` means; null = nothing that is imported. */
export function meantName(
  compiler: TypeScript,
  expression: ts.Expression,
  names: ReadonlyMap<string, ImportedName>,
): ImportedName | null {
  if (compiler.isIdentifier(expression)) return names.get(expression.text) ?? null;
  if (!compiler.isPropertyAccessExpression(expression)) return null;
  const outer = meantName(compiler, expression.expression, names);
  if (outer === null) return null;
  const name = expression.name.text;
  return { module: outer.module, name: outer.name === '*' ? name : `${outer.name}.${name}` };
}
