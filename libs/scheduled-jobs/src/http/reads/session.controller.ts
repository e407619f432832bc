import { Get, Inject, Req, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { packageVersion } from '../../nest/package-version.js';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../jobs-http-options.js';
import { JobsPermission, type JobsPermissionName } from '../security/jobs-permission.js';
import { refuseParameters, type ApiRequest } from '../requests/read-query.js';
import { actorOf } from '../security/actor-of.js';
import { OPERATE_PROBE, type OperateProbe } from '../security/operate-probe.js';
import { REQUEST_HEADER } from '../security/same-origin.guard.js';

/** Who is asking, and what they may do. */
export interface SessionAnswer {
  /** As it stands in the audit; null = nobody in particular. */
  readonly actor: string | null;
  readonly permissions: readonly JobsPermissionName[];
  /** The header that actions are sent with, and its value. */
  readonly csrf: { readonly header: string; readonly value: string };
  /** Of this package. */
  readonly version: string;
  /** Where everything lives, the global prefix included, such as `/ops/jobs`. */
  readonly path: string;
}

/** Tells a page what its reader may do, so that it offers nothing else. */
export class SessionController {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
    @Inject(OPERATE_PROBE) private readonly probe: OperateProbe,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  @Get()
  @JobsPermission('read')
  async session(@Req() request: ApiRequest, @Res({ passthrough: true }) response: unknown): Promise<SessionAnswer> {
    refuseParameters(request);
    const mayOperate = await this.probe.mayOperate(request, response);
    const [path = ''] = String(this.adapterHost.httpAdapter.getRequestUrl(request)).split('?', 1);
    return {
      actor: await actorOf(request, this.options),
      permissions: mayOperate ? ['read', 'operate'] : ['read'],
      csrf: { header: REQUEST_HEADER, value: '1' },
      version: packageVersion(),
      path: path.replace(/\/[^/]*\/[^/]*\/?$/, ''),
    };
  }
}
