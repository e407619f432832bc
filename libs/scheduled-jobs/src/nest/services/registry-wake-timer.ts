import type { SchedulerRegistry } from '@nestjs/schedule';
import type { WakeTimer } from '../../engine/wake-timer.js';

const NAME = 'nestjs-scheduled-jobs';

/**
 * The scheduler's one timer, as a timeout that `SchedulerRegistry` knows, so that it can be seen beside the application's
 * own. Somebody may delete it there: the next tick comes when the scheduler is started again.
 */
export class RegistryWakeTimer implements WakeTimer {
  constructor(private readonly registry: SchedulerRegistry) {}

  set(delayMs: number, wake: () => void): void {
    this.clear();
    const wakeUp = (): void => {
      this.clear();
      wake();
    };
    this.registry.addTimeout(NAME, setTimeout(wakeUp, delayMs));
  }

  clear(): void {
    if (this.registry.doesExist('timeout', NAME)) this.registry.deleteTimeout(NAME);
  }
}
