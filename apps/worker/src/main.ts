import { runWorker } from 'nestjs-scheduled-jobs';
import { AppModule } from './app.module.js';
import { config } from './config.js';

await runWorker(AppModule, { logger: [config.logLevel] });
process.send?.({ ready: true });
