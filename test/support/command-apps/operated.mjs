// An application that an operator's command acts through. START_AT lets a schedule begin.
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { background, dataSource, PrintingModule, rootModule, scheduled } from './declare.mjs';

class Jobs {
  async report() {}
  async export() {}
}
scheduled(Jobs, 'report', '0 6 * * *', { name: 'report', runbook: 'https://wiki/report', overlap: 'allow' });
background(Jobs, 'export', { name: 'export' });

export class AppModule extends PrintingModule {}
rootModule(AppModule, {
  imports: [dataSource(), ScheduledJobsModule.forRoot({ timeZone: 'UTC', scheduler: true, worker: true })],
  providers: [Jobs],
});
