/**
 * A text as PostgreSQL can store it, for what people read and nothing compares: U+0000 becomes the replacement character,
 * as half surrogate pairs do by themselves on the wire.
 */
export const storableText = (text: string): string => text.replaceAll('\u0000', '\uFFFD');
