import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer to one request; the last one is repeated. */
export interface ServedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server on the loopback that keeps what it receives. */
export async function webhookServer(answers: readonly ServedAnswer[] = [{ status: 200 }]) {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, headers = {} } = answers[received.length] ?? answers.at(-1)!;
      received.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { ...headers }).end('the answer of the server');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
