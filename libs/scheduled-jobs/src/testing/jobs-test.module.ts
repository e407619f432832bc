import { Module, type DynamicModule } from '@nestjs/common';
import { JobHandlerDecorator } from '../nest/jobs/job-handler-decorator.js';
import { CLOCK, ONE_PASS } from '../nest/tokens.js';
import { JobsTestKit } from './jobs-test-kit.js';
import { ScriptedFailures } from './scripted-failures.js';
import { SettableClock } from './settable-clock.js';

/**
 * Import it beside the modules under test, which import `ScheduledJobsModule` as they always do: then nothing ticks, claims
 * or cleans up by itself, and `JobsTestKit` drives the jobs by a clock that the test sets.
 */
@Module({})
export class JobsTestModule {
  /**
   * @param start Where the clock begins; schedules begin there too.
   * @throws InvalidOptionsError when it is no instant.
   */
  static at(start: Date | string): DynamicModule {
    return {
      module: JobsTestModule,
      global: true,
      providers: [
        { provide: CLOCK, useValue: new SettableClock(start) },
        { provide: ONE_PASS, useValue: true },
        { provide: JobHandlerDecorator, useClass: ScriptedFailures },
        JobsTestKit,
      ],
      exports: [CLOCK, ONE_PASS, JobsTestKit],
    };
  }
}
