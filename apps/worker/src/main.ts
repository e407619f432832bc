import { runWorker } from 'nestjs-scheduled-jobs';
import { ProbeServer } from 'nestjs-scheduled-jobs/observability';
import { AppModule } from './app.module.js';
import { config } from './config.js';

const app = await runWorker(AppModule, { logger: [config.logLevel] });
process.send?.({ ready: true, ...(config.probes === null ? {} : { port: app.get(ProbeServer).port }) });
