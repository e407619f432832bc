import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ScheduledJobsLifecycle } from './scheduled-jobs.lifecycle.js';

/** Stops ticking and drains the worker before any other provider of the application is destroyed. */
@Injectable()
class StopFirst implements OnModuleDestroy {
  constructor(
    private readonly lifecycle: ScheduledJobsLifecycle,
    modules: ModulesContainer,
  ) {
    for (const module of modules.values()) {
      if (module.metatype === StopFirstModule) module.distance = BEHIND_THE_ROOT;
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.lifecycle.stop();
  }
}

/**
 * Nest destroys the module nearest to the root first and global modules last, which would take the services of the
 * application away from handlers that still run. This module puts itself in front of all.
 */
@Module({ providers: [StopFirst] })
export class StopFirstModule {}

const BEHIND_THE_ROOT = -1;
