// Every mistake that a check knows, and one job without any.
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { background, dataSource, PrintingModule, rootModule, scheduled } from './declare.mjs';

class Never {
  async run() {}
}
class Nowhere {
  async run() {}
}
class First {
  async run() {}
}
class Second {
  async run() {}
}
class EverySecond {
  async run() {}
}
class AtNight {
  async run() {}
}
class Zoneless {
  async run() {}
}
class Forgotten {
  async run() {}
}
const timeZone = 'Europe/Berlin';
background(Forgotten, 'run', { name: 'forgotten' });

export class AppModule extends PrintingModule {}
rootModule(AppModule, {
  imports: [dataSource(), ScheduledJobsModule.forRoot()],
  providers: [
    scheduled(Never, 'run', '0 0 31 2 *', { name: 'never', timeZone }),
    scheduled(Nowhere, 'run', '0 0 * * *', { name: 'nowhere', timeZone: 'Europe/Nowhere' }),
    scheduled(First, 'run', '0 6 * * *', { name: 'report', timeZone }),
    background(Second, 'run', { name: 'Report' }),
    scheduled(EverySecond, 'run', '* */5 * * * *', { name: 'every-second', timeZone }),
    scheduled(AtNight, 'run', '30 2 * * *', { name: 'at-night', timeZone }),
    scheduled(Zoneless, 'run', '0 6 * * *', { name: 'zoneless' }),
  ],
});
