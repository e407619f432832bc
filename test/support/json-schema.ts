/** The parts of JSON Schema that `docs/openapi.json` uses for answers. */
interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: 'date-time';
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * What of a value is not as its schema says, with the place of each; members that the schema does not know are mistakes, too.
 * @param named What `$ref` names.
 */
export function schemaMistakes(
  value: unknown,
  schema: Schema,
  named: Readonly<Record<string, Schema>>,
  at = '',
): readonly string[] {
  if (schema.$ref !== undefined) {
    return schemaMistakes(value, named[schema.$ref.replace('#/components/schemas/', '')] ?? {}, named, at);
  }
  if (schema.anyOf !== undefined) {
    const mistakes = schema.anyOf.map((one) => schemaMistakes(value, one, named, at));
    return mistakes.some((list) => list.length === 0)
      ? []
      : (mistakes.toSorted((a, b) => a.length - b.length)[0] ?? []);
  }
  if ('const' in schema && value !== schema.const) return [`${at}: is not ${String(schema.const)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: ${String(value)} is none of the enum`];
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.includes(kindOf(value)))
    return [`${at}: is ${kindOf(value)}, not ${types.join(' or ')}`];
  if (schema.format !== undefined && !INSTANT.test(String(value))) return [`${at}: ${String(value)} is no instant`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => schemaMistakes(item, schema.items ?? {}, named, `${at}[${index}]`));
  }
  if (kindOf(value) !== 'object' || types.length === 0) return [];
  return memberMistakes(value as Readonly<Record<string, unknown>>, schema, named, at);
}

function memberMistakes(
  value: Readonly<Record<string, unknown>>,
  { required = [], properties = {}, additionalProperties }: Schema,
  named: Readonly<Record<string, Schema>>,
  at: string,
): readonly string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name}: is missing`);
  const wrong = Object.entries(value).flatMap(([name, member]) => {
    const schema = properties[name] ?? additionalProperties;
    if (schema === undefined) return [`${at}.${name}: is not described`];
    return schemaMistakes(member, schema, named, `${at}.${name}`);
  });
  return [...missing, ...wrong];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
