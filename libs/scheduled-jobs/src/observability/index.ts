export {
  JobsHealth,
  type HealthLevel,
  type HealthReason,
  type HealthReasonKind,
  type HealthReport,
  type JobsHealthIndicatorResult,
} from './health/jobs-health.js';
export { JobsObservabilityModule } from './jobs-observability.module.js';
export { JobsMetrics } from './metrics/jobs-metrics.js';
export type {
  HealthOptions,
  JobsObservabilityOptions,
  MetricsOptions,
  MetricsRegistry,
  ObservabilityListener,
  ObservabilityParts,
  ObservabilityRoutes,
  ObservabilityStructure,
} from './observability-options.js';
export type { ProbeAnswer } from './probe-answers.js';
export { ProbeServer } from './probe-server.js';
