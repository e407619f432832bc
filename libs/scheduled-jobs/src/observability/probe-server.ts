import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { JobsMetrics } from './metrics/jobs-metrics.js';
import type { ObservabilityListener } from './observability-options.js';
import { PROBES, type ProbeAnswers } from './probe-answers.js';

interface Answer {
  readonly statusCode: number;
  readonly contentType: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
/** Probes and scrapes are short, and few ask at a time. */
const LIMITS = { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 } as const;
const MAX_CONNECTIONS = 100;

const json = (statusCode: number, body: unknown): Answer => ({
  statusCode,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
});

/**
 * A small HTTP server for a process that has none, such as a worker: probes, and metrics if asked for. It listens from the
 * application's bootstrap on, until everything else has been closed, so that a draining worker still says that it lives.
 */
export class ProbeServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: Server | null = null;

  /** @internal */
  constructor(
    /** Null = it does not listen. */
    private readonly options: Required<ObservabilityListener> | null,
    private readonly probes: ProbeAnswers,
    private readonly metrics: JobsMetrics | null,
  ) {}

  /** Null = it does not listen. */
  get port(): number | null {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  /** Rejects, so that the application does not start, when the port is taken. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.options === null) return;
    const server = createServer(LIMITS, (request, response) => void this.serve(request, response));
    server.maxConnections = MAX_CONNECTIONS;
    const { port, host } = this.options;
    server.listen(port, host);
    await once(server, 'listening');
    this.server = server;
  }

  async onApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume(); // a body says nothing here
    const { statusCode, contentType, body } = await this.answer(request).catch(() => json(500, { status: 'down' }));
    response.writeHead(statusCode, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  private async answer({ method = '', url = '' }: IncomingMessage): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'There is nothing to change here.' });
    const [path] = url.split('?', 1);
    const probe = PROBES.find((name) => path === `/health/${name}`);
    if (probe !== undefined) {
      const { statusCode, body } = await this.probes.answer(probe);
      return json(statusCode, body);
    }
    if (path === '/metrics' && this.options?.metrics === true && this.metrics !== null) {
      return { statusCode: 200, contentType: this.metrics.contentType, body: await this.metrics.text() };
    }
    return json(404, { status: 'There is nothing at this path.' });
  }
}
