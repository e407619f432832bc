import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { WEBHOOK_JOB } from '../../core/alert/reserved-jobs.js';
import { webhookExecution } from '../../core/alert/webhook-execution.js';
import type { NewExecution } from '../../core/execution/new-execution.js';
import { resolveJob } from '../../core/job/resolve-job.js';
import type { RegisteredJob } from '../../engine/registered-job.js';
import { deliverAlert } from '../../engine/webhook-delivery.js';
import type { Stores } from '../../postgres/create-stores.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { MODULE_OPTIONS, STORES } from '../tokens.js';

/** The background job that delivers alerts, in a process whose module has a webhook. */
@Injectable()
export class AlertWebhook {
  constructor(
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** Null = this process has no webhook. */
  job(): RegisteredJob<EntityManager> | null {
    const { webhook = null } = this.options.alerts ?? {};
    if (webhook === null) return null;
    const options = { name: WEBHOOK_JOB, queue: webhook.queue };
    const declared = { kind: 'background', cron: undefined, options, place: 'ScheduledJobsModule.alerts' } as const;
    const { definition, problems } = resolveJob(declared, { timeZone: null, overrides: {} });
    if (definition === null) throw new TypeError(`The job of the webhook is wrong: ${problems.join(', ')}`);
    return { definition, handler: (run) => deliverAlert(this.stores.alerts, webhook, run) };
  }

  /** Makes the execution that delivers an alert; null = this process has no webhook. */
  delivery(): ((alertId: string) => NewExecution) | null {
    const job = this.job();
    return job === null ? null : (alertId) => webhookExecution(job.definition, alertId);
  }
}
