/**
 * What a second enqueue with the same key gives: the existing execution, the existing execution with its result, nothing
 * at all, or an error.
 */
export const DUPLICATE_BEHAVIOURS = ['return-existing', 'return-result', 'ignore', 'reject'] as const;
export type DuplicateBehaviour = (typeof DUPLICATE_BEHAVIOURS)[number];
