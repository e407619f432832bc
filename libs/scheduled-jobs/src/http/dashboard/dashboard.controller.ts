import { Inject, NotFoundException, Req, Res, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { JobsPermission } from '../security/jobs-permission.js';
import { readDashboardFiles, type DashboardFile } from './dashboard-files.js';
import { pagePathOf, type RoutedRequest } from './page-base.js';

type PageRequest = RoutedRequest & { readonly headers: Readonly<Record<string, string | string[] | undefined>> };

/** Only the page's own files run, load and are asked; texts of the ledger can never become code, whatever they hold. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/** What the built page says before it is known where it lies. */
const BASE = '<base href="./" />';

/** The dashboard: one page under every address below the mount, and its assets. */
export class DashboardController {
  private files: ReadonlyMap<string, DashboardFile> | null = null;

  constructor(@Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost) {}

  /** One open-ended route: which screens there are is the page's business, so that each of its addresses can be reloaded. */
  @JobsPermission('read')
  answer(@Req() request: PageRequest, @Res({ passthrough: true }) response: unknown): StreamableFile {
    this.files ??= readDashboardFiles();
    const { rest, base } = pagePathOf(request);
    const asset = this.files.get(rest);
    if (asset !== undefined && rest !== 'index.html') return this.asset(asset, request, response);
    if (rest.startsWith('assets/')) throw new NotFoundException('There is nothing at this path.');
    return this.page(base, response);
  }

  private page(base: string, response: unknown): StreamableFile {
    this.setHeaders(response, {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
    });
    const page = this.files?.get('index.html')?.body.toString('utf8') ?? '';
    return streamed(Buffer.from(page.replace(BASE, `<base href="${base}" />`)), 'text/html; charset=utf-8');
  }

  /** The name of an asset holds a hash of what is in it. Guards may let one reader in and another not: no shared cache. */
  private asset(file: DashboardFile, request: PageRequest, response: unknown): StreamableFile {
    const body = /\bgzip\b/.test(String(request.headers['accept-encoding'])) ? file.gzipped : null;
    this.setHeaders(response, {
      'Cache-Control': 'private, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(body === null ? {} : { 'Content-Encoding': 'gzip' }),
    });
    return streamed(body ?? file.body, file.contentType);
  }

  private setHeaders(response: unknown, headers: Readonly<Record<string, string>>): void {
    const { httpAdapter } = this.adapterHost;
    for (const [name, value] of Object.entries(headers)) httpAdapter.setHeader(response, name, value);
  }
}

const streamed = (body: Buffer, type: string): StreamableFile =>
  new StreamableFile(body, { type, length: body.length });
