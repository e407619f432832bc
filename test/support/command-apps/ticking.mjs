// An application that ticks, claims and prints: under a command it must do none of these but tick once.
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { dataSource, PrintingModule, rootModule, scheduled } from './declare.mjs';

console.log('printed while it is loaded');
setInterval(() => undefined, 60_000);

class Jobs {
  constructor() {
    console.log('printed by a provider');
  }

  async second() {}
}
const startAt = process.env['START_AT'] ?? '2026-08-01T00:00:00Z';
scheduled(Jobs, 'second', '* * * * * *', { name: 'second', startAt });

class Failing {
  async run() {}
}
const period = () => {
  throw new Error('no period today');
};
scheduled(Failing, 'run', '* * * * * *', { name: 'failing', startAt, period });

export class AppModule extends PrintingModule {}
rootModule(AppModule, {
  imports: [
    dataSource(),
    ScheduledJobsModule.forRoot({ timeZone: 'UTC', migrations: 'run', scheduler: true, worker: true }),
  ],
  providers: process.env['WITH_FAILING'] === 'yes' ? [Jobs, Failing] : [Jobs],
});
