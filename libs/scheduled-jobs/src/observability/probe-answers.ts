import { Injectable } from '@nestjs/common';
import { JobsHealth, type HealthLevel, type HealthReasonKind, type HealthReport } from './health/jobs-health.js';

/** What a probe hears: levels and kinds of reasons, no names and no counts, because anybody may ask. */
export interface ProbeAnswer {
  readonly status: HealthLevel;
  readonly reasons: readonly HealthReasonKind[];
}

export const PROBES = ['live', 'startup', 'ready'] as const;
export type Probe = (typeof PROBES)[number];

/** Answers probes, whoever serves them. */
@Injectable()
export class ProbeAnswers {
  constructor(private readonly health: JobsHealth) {}

  /** 503 when the level is `down`; `degraded` is 200. */
  async answer(probe: Probe): Promise<{ readonly statusCode: 200 | 503; readonly body: ProbeAnswer }> {
    const { status, reasons } = await this.report(probe);
    const kinds = [...new Set(reasons.map(({ kind }) => kind))];
    return { statusCode: status === 'down' ? 503 : 200, body: { status, reasons: kinds } };
  }

  private async report(probe: Probe): Promise<HealthReport> {
    switch (probe) {
      case 'live':
        return this.health.live();
      case 'startup':
        return this.health.started();
      case 'ready':
        return this.health.ready();
    }
  }
}
