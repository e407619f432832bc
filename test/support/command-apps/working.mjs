// A worker that migrates its schema as it starts, and says when it claims.
import { runWorker, ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { dataSource, rootModule, scheduled } from './declare.mjs';

class Jobs {
  async second() {}
}
scheduled(Jobs, 'second', '* * * * * *', { name: 'second' });

class AppModule {}
rootModule(AppModule, {
  imports: [dataSource(), ScheduledJobsModule.forRoot({ timeZone: 'UTC', migrations: 'run' })],
  providers: [Jobs],
});
await runWorker(AppModule, { logger: false });
console.log('claims');
