import { getMetadataStorage } from 'class-validator';
import { groupBy } from '../../libs/scheduled-jobs/src/core/group-by.js';
import type { AnswerSchemas } from './answer-schemas.js';
import { API_ROUTES, type ApiRoute } from '../../libs/scheduled-jobs/src/http/api-routes.js';

type Schema = Readonly<Record<string, unknown>>;
type Rule = { readonly name?: string; readonly constraints: readonly unknown[]; readonly each: boolean };

/** What a rule of class-validator is in JSON Schema. A rule that is not here must not be left out silently. */
const RULES: Readonly<Record<string, (constraints: readonly unknown[]) => Schema>> = {
  arrayMaxSize: ([maxItems]) => ({ maxItems }),
  isArray: () => ({ type: 'array' }),
  isBoolean: () => ({ type: 'boolean' }),
  isDurationText: () => ({ type: 'string', pattern: '^\\d+(ms|s|m|h|d)$' }),
  isIn: ([values]) => ({ enum: values }),
  isInstantText: () => ({ type: 'string', format: 'date-time' }),
  isInt: () => ({ type: 'integer' }),
  isString: () => ({ type: 'string' }),
  isLength: ([minLength, maxLength]) => ({ type: 'string', minLength, maxLength }),
  matches: ([pattern]) => ({ type: 'string', pattern: (pattern as RegExp).source }),
  max: ([maximum]) => ({ maximum }),
  min: ([minimum]) => ({ minimum }),
};

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const PROBLEMS: Readonly<Record<string, string>> = {
  '400': 'Something about the request cannot work; `problems` lists all of it.',
  '401': 'Who are you?',
  '403': 'You may not, nobody may yet, or the request comes from another site.',
  '404': 'There is no such thing.',
  '409': 'The state of things does not allow it.',
  '413': 'The body is too large.',
  '500': 'A fault of the server. Its log says why.',
  '503': 'The database was not available. The same request may succeed later.',
};

/** The description of the API, made of what the code itself goes by. */
export const openApi = (version: string, { answers, named }: AnswerSchemas): object => ({
  openapi: '3.1.0',
  info: {
    title: 'nestjs-scheduled-jobs',
    version,
    description:
      'Below `<global prefix>/<path>/api`. Ids are strings, instants RFC 3339 in UTC, durations milliseconds in members that end in `Ms`.',
  },
  servers: [{ url: '/scheduled-jobs/api' }],
  paths: Object.fromEntries(
    [...groupBy(API_ROUTES, ({ path }) => path)].map(([path, routes]) => [
      path.replaceAll(/:(\w+)/g, '{$1}'),
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operation(route, answers)])),
    ]),
  ),
  components: {
    schemas: { ...named, Problem: problemSchema },
    responses: Object.fromEntries(
      Object.entries(PROBLEMS).map(([status, description]) => [
        status,
        { description, content: { 'application/problem+json': { schema: PROBLEM } } },
      ]),
    ),
  },
});

function operation({ method, path, answer, input }: ApiRoute, answers: AnswerSchemas['answers']): object {
  const isAction = method === 'POST';
  const type = path === '/events' ? 'text/event-stream' : 'application/json';
  const inPath = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const { properties, required } = input === null ? { properties: {}, required: [] } : members(input);
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
  const failures = Object.keys(PROBLEMS).filter((status) => isAction || !['409', '413'].includes(status));
  return {
    summary: answer,
    'x-jobs-permission': isAction ? 'operate' : 'read',
    parameters: [...inPath, ...(isAction ? [IDEMPOTENCY_KEY] : inQuery)],
    ...(isAction ? { requestBody: bodyOf({ properties, required }) } : {}),
    responses: {
      '200': { description: answer, content: { [type]: { schema: answers[`${method} ${path}`] } } },
      ...Object.fromEntries(failures.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Lets the same actor send the request again within a day, and get the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

const bodyOf = ({ properties, required }: ReturnType<typeof members>): object => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', additionalProperties: false, properties, required } } },
});

function members(type: new () => object) {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const byName = [...groupBy(rules, ({ propertyName }) => propertyName)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    properties: Object.fromEntries(byName.map(([name, own]) => [name, schemaOf(own.filter(isCheck))])),
    required: byName
      .filter(([, own]) => own.every(({ type: kind }) => kind === 'customValidation'))
      .map(([name]) => name),
  };
}

const isCheck = ({ type }: { readonly type: string }): boolean => type === 'customValidation';

function schemaOf(rules: readonly Rule[]): Schema {
  const isList = rules.some(({ name }) => name === 'isArray');
  const own = rules.map(({ name = '', constraints, each }) => {
    const schema = RULES[name]?.(constraints ?? []);
    if (schema === undefined)
      throw new Error(`The rule "${name}" has no JSON Schema. Add it to test/support/openapi.ts.`);
    if (!each) return schema;
    // In a query one of several may stand alone.
    return isList ? { items: schema } : { oneOf: [schema, { type: 'array', items: schema }] };
  });
  return Object.assign({}, ...own) as Schema;
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { const: 'about:blank' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'For people.' },
    code: { type: 'string', pattern: '^JOBS_[A-Z_]+$', description: 'For programs: it never changes.' },
    problems: { type: 'array', items: { type: 'string' } },
  },
};
