import {
  Controller,
  ForbiddenException,
  Get,
  Header,
  Inject,
  Injectable,
  Param,
  NotFoundException,
  Res,
  UseGuards,
  VERSION_NEUTRAL,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { JobsMetrics } from './metrics/jobs-metrics.js';
import type { ResolvedRoutes } from './observability-options.js';
import { ProbeAnswers, PROBES, type Probe, type ProbeAnswer } from './probe-answers.js';

@Injectable()
class ClosedMetricsGuard implements CanActivate {
  canActivate(): never {
    throw new ForbiddenException(
      "Nobody has access to the metrics yet. Give JobsObservabilityModule.forRoot() `routes: { guards }`, or `access: 'host'` when what stands before the application protects them.",
    );
  }
}

/** The routes of one application: a class of its own each, because path and guards are metadata of a class. */
export function observabilityControllers(routes: ResolvedRoutes, hasMetrics: boolean): Type[] {
  return [probesAt(routes.probes), ...(hasMetrics ? [metricsAt(routes)] : [])];
}

function probesAt(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  class ProbesController {
    constructor(
      private readonly probes: ProbeAnswers,
      private readonly adapterHost: HttpAdapterHost,
    ) {}

    @Get(':probe')
    @Header('Cache-Control', 'no-store')
    async answer(@Param('probe') name: string, @Res({ passthrough: true }) response: unknown): Promise<ProbeAnswer> {
      const probe = PROBES.find((known) => known === name);
      if (probe === undefined) throw new NotFoundException(`The probes are ${PROBES.join(', ')}.`);
      const { statusCode, body } = await this.probes.answer(probe satisfies Probe);
      this.adapterHost.httpAdapter.status(response, statusCode);
      return body;
    }
  }
  return ProbesController;
}

function metricsAt({ metrics: path, guards, access }: ResolvedRoutes): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  @UseGuards(...(guards.length > 0 || access === 'host' ? guards : [ClosedMetricsGuard]))
  class MetricsController {
    constructor(
      @Inject(JobsMetrics) private readonly metrics: JobsMetrics | null,
      private readonly adapterHost: HttpAdapterHost,
    ) {}

    @Get()
    @Header('Cache-Control', 'no-store')
    text(@Res({ passthrough: true }) response: unknown): Promise<string> {
      if (this.metrics === null) throw new NotFoundException('There are no metrics: the option "metrics" is off.');
      this.adapterHost.httpAdapter.setHeader(response, 'Content-Type', this.metrics.contentType);
      return this.metrics.text();
    }
  }
  return MetricsController;
}
