export { ExportPdf } from './exports/export-pdf.js';
export { Exports } from './exports/exports.js';
export { LauncherModule } from './launcher/launcher.module.js';
export { PointsBalance, type PointsReport } from './points/points-balance.js';
export { SampleJobsModule } from './sample-jobs.module.js';
export { SAMPLE_QUEUES } from './sample-queues.js';
