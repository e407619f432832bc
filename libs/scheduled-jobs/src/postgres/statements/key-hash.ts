/** What a key is looked up by, given the SQL of its text. */
export const keyHash = (key: string): string => `substr(sha256(convert_to(${key}, 'UTF8')), 1, 16)`;
