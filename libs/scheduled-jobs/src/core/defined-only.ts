/** The members of `T` that are there; none is undefined. */
export type DefinedOnly<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** An object without the members that are undefined: an option that is not given is not there. */
export const definedOnly = <T extends object>(members: T): DefinedOnly<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as DefinedOnly<T>;
