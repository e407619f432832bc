/** What JSON keeps of others are their members, if they have any: `{}` of a Map, indexes of bytes. */
const PLAIN_TAG = '[object Object]';
const MAX_NAME_LENGTH = 60;

/** Why JSON would silently lose something of an object that has no `toJSON`; null = it keeps what there is. */
export function lossProblem(value: object): string | null {
  const isList = Array.isArray(value);
  const prototype = prototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  // What it is comes before its members: Node marks promises by symbols while AsyncLocalStorage is in use.
  const kind = isList || isPlain ? null : kindProblem(value);
  if (kind !== null) return kind;
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.some((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol))) {
    return 'has members named by symbols, which JSON leaves out';
  }
  if (isList) return listProblem(value);
  return isPlain ? null : hiddenProblem(value);
}

function kindProblem(value: object): string | null {
  const tag = Object.prototype.toString.call(value);
  return tag === PLAIN_TAG ? null : `is a ${tag.slice(8, -1).slice(0, MAX_NAME_LENGTH)}, which JSON does not keep`;
}

function listProblem(list: readonly unknown[]): string | null {
  // Names of its own come after the places.
  const last = Object.keys(list).at(-1) ?? '0';
  if (/^\d+$/.test(last)) return null;
  return `is a list with the member "${last.slice(0, MAX_NAME_LENGTH)}", which JSON leaves out`;
}

function hiddenProblem(value: object): string | null {
  const getter = Object.keys(value).length > 0 ? null : getterOf(value);
  return getter === null ? null : `has only members of its class such as "${getter}", which JSON leaves out`;
}

/** A getter that the class of a value has; null = its class, if it has one, has none. */
function getterOf(value: object): string | null {
  for (let owner = prototypeOf(value); owner !== null && owner !== Object.prototype; owner = prototypeOf(owner)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(owner));
    const [name] = members.find(([, described]) => described.get !== undefined) ?? [];
    if (name !== undefined) return name;
  }
  return null;
}

const prototypeOf = (value: object): object | null => Object.getPrototypeOf(value) as object | null;
