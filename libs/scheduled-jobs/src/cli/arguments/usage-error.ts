/** A command that was called in a way that cannot work; the process ends with code 2. */
export class UsageError extends Error {}
