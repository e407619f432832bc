import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

type Schema = Readonly<Record<string, unknown>>;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the routes answer, as JSON Schemas that are made of the types in the code. */
export interface AnswerSchemas {
  /** By method and path, such as `GET /jobs`. */
  readonly answers: Readonly<Record<string, Schema>>;
  /** What has a name in the code, by that name. */
  readonly named: Readonly<Record<string, Schema>>;
}

/** Reads the types of `answers.ts` with the compiler. Takes seconds. */
export function answerSchemas(): AnswerSchemas {
  const path = join(root, 'test/support/answers.ts');
  const configured = ts.readConfigFile(join(root, 'tsconfig.base.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.convertCompilerOptionsFromJson(configured.config.compilerOptions, root);
  const program = ts.createProgram([path], { ...options, composite: false, noEmit: true });
  const source = program.getSourceFile(path);
  const declared = source?.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === 'Answers');
  if (declared === undefined) throw new Error(`There is no interface Answers in ${path}.`);
  const checker = program.getTypeChecker();
  const schemas = new TypeSchemas(checker);
  const answers = checker
    .getTypeAtLocation(declared)
    .getProperties()
    .map((route) => [route.name, schemas.of(checker.getTypeOfSymbol(route))] as const);
  return { answers: Object.fromEntries(answers), named: schemas.named() };
}

class TypeSchemas {
  private readonly byName = new Map<string, { readonly type: ts.Type; schema: Schema }>();

  constructor(private readonly checker: ts.TypeChecker) {}

  named(): Readonly<Record<string, Schema>> {
    const entries = [...this.byName].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  }

  of(type: ts.Type): Schema {
    if (type.isUnion()) return this.ofUnion(type.types);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if ((type.flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()) return this.ofObject(type);
    const text = this.checker.typeToString(type);
    if (['string', 'number', 'boolean', 'null'].includes(text)) return { type: text };
    if (text === 'true' || text === 'false') return { const: text === 'true' };
    if (text === 'unknown') return {};
    if ((type.flags & ts.TypeFlags.TemplateLiteral) !== 0) return { type: 'string' };
    throw new Error(`There is no JSON Schema for the type ${text}.`);
  }

  private ofUnion(types: readonly ts.Type[]): Schema {
    const present = types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    const schemas = present.map((one) => this.of(one));
    const values = schemas.flatMap((schema) => ('const' in schema ? [schema['const']] : []));
    const others = schemas.filter((schema) => !('const' in schema));
    const known = values.includes(true) && values.includes(false) ? [{ type: 'boolean' }] : enumerated(values);
    const all = [...known, ...others];
    const types1 = all.map((schema) => (Object.keys(schema).join() === 'type' ? schema['type'] : null));
    if (all.length === 1) return all[0] ?? {};
    return types1.includes(null) ? { anyOf: all } : { type: types1 };
  }

  private ofObject(type: ts.Type): Schema {
    const name = (type.aliasSymbol ?? type.symbol)?.name ?? '';
    if (name === 'Date') return { type: 'string', format: 'date-time' };
    const [element] = this.checker.getTypeArguments(type as ts.TypeReference);
    if (['Array', 'ReadonlyArray'].includes(name) && element !== undefined) {
      return { type: 'array', items: this.of(element) };
    }
    const isNamed = /^[A-Z]\w+$/.test(name) && type.aliasTypeArguments === undefined && element === undefined;
    if (!isNamed || ['Pick', 'Omit', 'Readonly', 'Record'].includes(name)) return this.members(type);
    const known = this.byName.get(name);
    if (known === undefined) {
      const entry = { type, schema: {} as Schema };
      this.byName.set(name, entry);
      entry.schema = this.members(type);
    } else if (known.type !== type) return this.members(type);
    return { $ref: `#/components/schemas/${name}` };
  }

  private members(type: ts.Type): Schema {
    const values = this.checker.getIndexTypeOfType(type, ts.IndexKind.String);
    const members = type.getProperties().map((member) => {
      const words = ts.displayPartsToString(member.getDocumentationComment(this.checker)).replaceAll('\n', ' ');
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
      const schema = this.of(this.checker.getTypeOfSymbol(member));
      return { name: member.name, isOptional, schema: words === '' ? schema : { ...schema, description: words } };
    });
    // Stacks are left out unless the application shows them.
    const required = members.filter(({ name, isOptional }) => !isOptional && name !== 'stack').map(({ name }) => name);
    return {
      type: 'object',
      ...(members.length === 0 ? {} : { required }),
      ...(members.length === 0 ? {} : { properties: Object.fromEntries(members.map((one) => [one.name, one.schema])) }),
      ...(values === undefined ? {} : { additionalProperties: this.of(values) }),
    };
  }
}

const enumerated = (values: readonly unknown[]): readonly Schema[] => {
  if (values.length === 0) return [];
  return [values.length === 1 ? { const: values[0] } : { enum: values }];
};
