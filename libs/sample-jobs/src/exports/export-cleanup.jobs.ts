import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { ScheduledJob, type JobRun } from 'nestjs-scheduled-jobs';
import { SAMPLE_RETRY } from '../sample-retry.js';
import { ProjectExport } from './project-export.entity.js';

/**
 * Housekeeping: nothing is lost when it rests for a while, so operators may pause it, and one run makes up for all that
 * were missed.
 */
@Injectable()
export class ExportCleanupJobs {
  @ScheduledJob(CronExpression.EVERY_MINUTE, {
    name: 'export-cleanup',
    timeZone: 'UTC',
    catchUp: { policy: 'latest' },
    retry: SAMPLE_RETRY,
    lease: '10s',
  })
  async removeOldExports(run: JobRun): Promise<void> {
    await run.transaction(async (manager) => {
      const { affected } = await manager
        .createQueryBuilder()
        .delete()
        .from(ProjectExport)
        .where("requested_at < now() - interval '30 days'")
        .execute();
      run.count({ processed: affected ?? 0 });
    });
  }
}
