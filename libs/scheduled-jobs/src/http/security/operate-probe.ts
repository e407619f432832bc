import { UseGuards, type Type } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import type { ResolvedHttpOptions } from '../jobs-http-options.js';
import { JobsPermission } from './jobs-permission.js';

/** Tells whether the guards would let a request operate. */
export interface OperateProbe {
  mayOperate(request: object, response: unknown): Promise<boolean>;
}

/** The injection token of the probe. */
export const OPERATE_PROBE = Symbol.for('nestjs-scheduled-jobs/operate-probe');

/** Only guards: nothing else of a route is to be done. */
const GUARDS_ALONE = { guards: true, interceptors: false, filters: false };

/**
 * Asks the guards themselves, those of the whole application included, as if the request were an action: nobody else knows.
 * A class of its own for each application, because guards are metadata of a class.
 */
export function operateProbe({ guards }: ResolvedHttpOptions): Type<OperateProbe> {
  @UseGuards(...guards)
  class Probe implements OperateProbe {
    private ask: ((...args: unknown[]) => Promise<unknown>) | null = null;

    constructor(private readonly contexts: ExternalContextCreator) {}

    async mayOperate(request: object, response: unknown): Promise<boolean> {
      this.ask ??= this.asked();
      // Guards that go by the method see the one of an action.
      const action: unknown = Object.create(request, { method: { value: 'POST' } });
      return this.ask(action, response).then(
        () => true,
        () => false,
      );
    }

    @JobsPermission('operate')
    operate(this: void): void {}

    // Not before the first request: guards of the whole application may be added until it listens.
    private asked() {
      return this.contexts.create(
        this,
        this.operate,
        'operate',
        undefined,
        undefined,
        undefined,
        undefined,
        GUARDS_ALONE,
        'http',
      ) as (...args: unknown[]) => Promise<unknown>;
    }
  }
  return Probe;
}
