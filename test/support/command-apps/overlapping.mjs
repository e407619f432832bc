// Jobs of which the ledger may know how long their attempts take.
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { dataSource, PrintingModule, rootModule, scheduled } from './declare.mjs';

class Jobs {
  async slow() {}
  async quick() {}
  async unknown() {}
}
scheduled(Jobs, 'slow', '* * * * *', { name: 'slow' });
scheduled(Jobs, 'quick', '* * * * *', { name: 'quick' });
scheduled(Jobs, 'unknown', '* * * * *', { name: 'unknown' });

export class AppModule extends PrintingModule {}
rootModule(AppModule, {
  imports: [dataSource(), ScheduledJobsModule.forRoot({ timeZone: 'UTC', migrations: 'run' })],
  providers: [Jobs],
});
