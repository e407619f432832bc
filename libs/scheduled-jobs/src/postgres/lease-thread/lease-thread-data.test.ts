import { describe, expect, it } from 'vitest';
import { handedOver } from './lease-thread-data.js';

describe('What the keeper thread is handed', () => {
  it('is every plain option, bytes included, and none of the pool', () => {
    const connection = { host: 'db', port: 5432, password: 'secret', ssl: { ca: [Buffer.from('ca')] } };
    expect(handedOver({ ...connection, log: () => undefined } as object)).toEqual({ connection, refused: null });
  });

  it.each([
    ['password', { password: async () => 'secret' }],
    ['stream', { stream: () => undefined }],
    ['ssl', { ssl: { checkServerIdentity: () => undefined } }],
    ['ssl', { ssl: { secureContext: new (class SecureContext {})() } }],
  ])('is nothing when %s is a function or holds one', (name, options) => {
    expect(handedOver({ host: 'db', ...(options as object) })).toEqual({ refused: [name] });
  });
});
