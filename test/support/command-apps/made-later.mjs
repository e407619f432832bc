// Options come from a factory, and so does nothing else. Two modules are exported.
import { ScheduledJobsModule } from 'nestjs-scheduled-jobs';
import { dataSource, PrintingModule, rootModule, scheduled } from './declare.mjs';

const refuse = (what) => () => {
  throw new Error(`${what} was made`);
};

class Jobs {
  constructor() {
    refuse('a provider')();
  }

  async run() {}
}

export class FeatureModule extends PrintingModule {}
rootModule(FeatureModule, { providers: [scheduled(Jobs, 'run', '0 6 * * *', { name: 'report' })] });

export class RootModule extends PrintingModule {}
rootModule(RootModule, {
  imports: [dataSource(), FeatureModule, ScheduledJobsModule.forRootAsync({ useFactory: refuse('the options') })],
});
