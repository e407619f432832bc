import type ts from 'typescript';
import type { TypeScript } from './load-typescript.js';

/** A name as the module that exports it has it; `*` = the module itself. */
export interface ImportedName {
  readonly module: string;
  readonly name: string;
}

type Names = Map<string, ImportedName>;

/** What a file imports or requires, by its own names for it. */
export function importedNames(compiler: TypeScript, file: ts.SourceFile): ReadonlyMap<string, ImportedName> {
  const names: Names = new Map();
  for (const statement of file.statements) {
    if (compiler.isImportDeclaration(statement)) noteImport(compiler, statement, names);
    if (compiler.isImportEqualsDeclaration(statement)) {
      const { moduleReference } = statement;
      const given = compiler.isExternalModuleReference(moduleReference) ? moduleReference.expression : null;
      if (given !== null && compiler.isStringLiteral(given)) {
        names.set(statement.name.text, { module: given.text, name: '*' });
      }
    }
    if (compiler.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) noteRequire(compiler, declaration, names);
    }
  }
  return names;
}

function noteImport(compiler: TypeScript, statement: ts.ImportDeclaration, names: Names): void {
  if (!compiler.isStringLiteral(statement.moduleSpecifier)) return;
  const module = statement.moduleSpecifier.text;
  const { name, namedBindings } = statement.importClause ?? {};
  if (name !== undefined) names.set(name.text, { module, name: '*' });
  if (namedBindings === undefined) return;
  if (compiler.isNamespaceImport(namedBindings)) names.set(namedBindings.name.text, { module, name: '*' });
  else
    for (const one of namedBindings.elements)
      names.set(one.name.text, { module, name: (one.propertyName ?? one.name).text });
}

/** `const cron = require('cron')` and `const { CronJob: Job } = require('cron')`. */
function noteRequire(compiler: TypeScript, { name, initializer }: ts.VariableDeclaration, names: Names): void {
  const isCall = initializer !== undefined && compiler.isCallExpression(initializer);
  if (!isCall || initializer.expression.getText() !== 'require') return;
  const [given] = initializer.arguments;
  if (given === undefined || !compiler.isStringLiteral(given)) return;
  const module = given.text;
  if (compiler.isIdentifier(name)) names.set(name.text, { module, name: '*' });
  if (!compiler.isObjectBindingPattern(name)) return;
  for (const { name: own, propertyName } of name.elements)
    if (compiler.isIdentifier(own)) names.set(own.text, { module, name: (propertyName ?? own).getText() });
}

/** What an expression such as `Cron`, `schedule.Cron` or `schedule['Cron']` means; null = nothing that is imported. */
export function meantName(
  compiler: TypeScript,
  expression: ts.Expression,
  names: ReadonlyMap<string, ImportedName>,
): ImportedName | null {
  const inner = unwrapped(compiler, expression);
  if (compiler.isIdentifier(inner)) return names.get(inner.text) ?? null;
  const member = memberOf(compiler, inner);
  const outer = member === null ? null : meantName(compiler, member.owner, names);
  if (member === null || outer === null) return null;
  return { module: outer.module, name: outer.name === '*' ? member.name : `${outer.name}.${member.name}` };
}

/** An expression without the brackets around it. */
export function unwrapped(compiler: TypeScript, expression: ts.Expression): ts.Expression {
  let inner = expression;
  while (compiler.isParenthesizedExpression(inner)) inner = inner.expression;
  return inner;
}

/** The object and the name of a member, written either way; null = it is none. */
export function memberOf(
  compiler: TypeScript,
  expression: ts.Expression,
): { readonly owner: ts.Expression; readonly name: string } | null {
  if (compiler.isPropertyAccessExpression(expression)) {
    return { owner: expression.expression, name: expression.name.text };
  }
  if (!compiler.isElementAccessExpression(expression)) return null;
  const { argumentExpression: given } = expression;
  return compiler.isStringLiteral(given) ? { owner: expression.expression, name: given.text } : null;
}
