import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../core/errors.js';
import { optionalPeer } from './optional-peer.js';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error('no'), { code }));

describe('an optional peer', () => {
  it('is loaded when it is there', async () => {
    expect(await optionalPeer('p', 'metrics', async () => 'loaded')).toBe('loaded');
  });

  it('is asked for, by the option that needs it, when it is not installed', async () => {
    const missing = optionalPeer('prom-client', 'metrics', failing('ERR_MODULE_NOT_FOUND'));
    await expect(missing).rejects.toThrow(InvalidOptionsError);
    await expect(missing).rejects.toThrow(
      'JobsObservabilityModule.metrics needs the package prom-client. Install it: npm install prom-client',
    );
  });

  it('is not blamed for anything else', async () => {
    await expect(optionalPeer('p', 'metrics', failing('EACCES'))).rejects.toMatchObject({ code: 'EACCES' });
  });
});
