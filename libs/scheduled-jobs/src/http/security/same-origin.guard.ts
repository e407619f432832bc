import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { JOBS_PERMISSION } from './jobs-permission.js';
import { ProblemException } from '../answers/problem.js';
import type { ApiRequest, RequestHeaders } from '../requests/read-query.js';

/** The header that a page of another site cannot send without being asked first. */
export const REQUEST_HEADER = 'x-jobs-request';

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Protects hosts that know their users by a cookie: what changes something has to come from the same origin, in a form that
 * no page of another site can send. Programs send no `Origin`, so that they only have to send JSON.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (Reflect.getMetadata(JOBS_PERMISSION, context.getHandler()) === 'read') return true;
    const { headers = {} } = context.switchToHttp().getRequest<ApiRequest>();
    const problem = foreignProblem(headers) ?? formProblem(headers);
    if (problem !== null) throw new ProblemException(403, 'JOBS_CROSS_SITE_REQUEST', problem);
    return true;
  }
}

function foreignProblem(headers: RequestHeaders): string | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    // Browsers say it themselves, and scripts cannot: it is worth more than a comparison of names.
    if (site === 'same-origin' || site === 'none') return null;
    return 'The request comes from a page of another origin (Sec-Fetch-Site). Operate from the dashboard, or from a program.';
  }
  const { origin } = headers;
  const host = headers['host'] ?? headers[':authority'];
  if (origin === undefined || (typeof origin === 'string' && hostOf(origin) === String(host).toLowerCase()))
    return null;
  return 'The Origin of the request is not the Host that it was sent to. A proxy in between has to pass on Host unchanged.';
}

function formProblem(headers: RequestHeaders): string | null {
  const type = headers['content-type'];
  if (headers[REQUEST_HEADER] === '1' || (typeof type === 'string' && JSON_TYPE.test(type))) return null;
  return `Send JSON (Content-Type: application/json), or the header ${REQUEST_HEADER}: 1.`;
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null; // Browsers say "null" for pages without an origin.
  }
}
