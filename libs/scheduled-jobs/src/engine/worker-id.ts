import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

const MAX_HOST_LENGTH = 100;

/** A name for one worker: where it runs, and different from every other one there ever was. At most 130 characters. */
export const createWorkerId = (): string =>
  `${hostname().slice(0, MAX_HOST_LENGTH)}:${process.pid}:${randomBytes(4).toString('hex')}`;
