import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Scheduler } from 'nestjs-scheduled-jobs';

/** What a launcher sends before it counts periods: no more of them, please. */
const STOP_TICKING = 'stopTicking';

/**
 * Listens to the process that started this one, if that gave it a channel: the demo stops the ticking of all processes
 * before it judges what they have done.
 */
@Injectable()
export class LauncherChannel implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly onMessage = (message: unknown): void => void this.answer(message);

  constructor(private readonly scheduler: Scheduler) {}

  onApplicationBootstrap(): void {
    if (process.channel !== undefined) process.on('message', this.onMessage);
  }

  onApplicationShutdown(): void {
    process.off('message', this.onMessage);
  }

  private async answer(message: unknown): Promise<void> {
    if (message !== STOP_TICKING) return;
    await this.scheduler.stop();
    process.send?.({ stoppedTicking: true });
  }
}
