import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { INestApplication } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundJob, JobsClient, Worker } from 'nestjs-scheduled-jobs';
import { JobsHttpModule } from 'nestjs-scheduled-jobs/http';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule } from '../support/jobs-app.js';

class Mail {
  @BackgroundJob({ name: 'mail' })
  mail(): void {}
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** The lines of a stream, one by one, on a connection of its own. */
class Stream {
  private readonly lines: AsyncIterator<string>;

  constructor(readonly response: IncomingMessage) {
    this.lines = createInterface({ input: response, terminal: false })[Symbol.asyncIterator]();
  }

  static async open(url: string): Promise<Stream> {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    return new Stream(response);
  }

  /** The rest of the next line that begins so; null = the stream has ended. */
  async next(beginning: string): Promise<string | null> {
    for (;;) {
      const { done, value } = await this.lines.next();
      if (done === true) return null;
      if (value.startsWith(beginning)) return value.slice(beginning.length);
    }
  }

  close(): void {
    this.response.destroy();
  }
}

/** A reader whose buffers fill up. */
function readNothing(url: string): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write('GET /scheduled-jobs/api/events HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

/** The library's own part that looks for changes, which applications do not use. */
interface Looks {
  readonly changes: { snapshot: () => Promise<object> };
}

/** From now on more changes with each look than the buffers of two sockets hold. */
function changeMuch(app: INestApplication): void {
  let state: 'pending' | 'running' = 'pending';
  app.get<Looks>(Symbol.for('nestjs-scheduled-jobs/stores')).changes.snapshot = () => {
    const states = new Map(Array.from({ length: 400_000 }, (_, id) => [String(id), state]));
    state = state === 'pending' ? 'running' : 'pending';
    return Promise.resolve({ states, operations: '0', alerts: '0/0' });
  };
}

describe.each(['express', 'fastify'] as const)('the stream of changes on %s', (adapter) => {
  let app: INestApplication;
  let url: string;
  const open = (query = '') => Stream.open(`${url}/scheduled-jobs/api/events${query}`);

  beforeAll(async () => {
    const root = jobsModule({
      url: database.url,
      providers: [Mail],
      imports: [JobsHttpModule.forRoot({ access: 'host' })],
      jobs: { scheduler: false, worker: { pollInterval: '100ms' } },
    });
    app = await createApp(root, adapter);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    await app.get(Worker).stop();
  });

  it('tells of executions and of what people did while it happens, by ids and states only', async () => {
    const stream = await open();
    const { headers, statusCode } = stream.response;
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-store'),
      'x-content-type-options': 'nosniff',
    });
    await stream.next(': changes are told from now on');
    const jobs = app.get(JobsClient);
    const { execution } = await jobs.enqueue('mail', { secret: 'plan' });
    await stream.next('event: change');
    expect(await stream.next('data: ')).toBe(
      JSON.stringify({ executions: [{ id: execution?.executionId, state: 'pending' }] }),
    );
    await jobs.pause('mail', { actor: 'anna', reason: 'quiet' });
    expect(await stream.next('data: ')).toBe('{"topic":"operations"}');
    stream.close();
  });

  it('takes no parameters, and no more readers than it can serve', async () => {
    expect((await open('?x=1')).response.statusCode).toBe(400);
    const many = await Promise.all(Array.from({ length: 101 }, () => open()));
    const refused = many.filter(({ response }) => response.statusCode !== 200);
    expect(refused.map(({ response }) => response.statusCode)).toContain(429);
    for (const stream of many) stream.close();
  });

  it('ends with the application, also for a reader that reads nothing', async () => {
    const stream = await open();
    const stuck = readNothing(url);
    changeMuch(app);
    await stream.next('event: change');
    const beganMs = performance.now();
    await app.close();
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    expect(await stream.next('never')).toBeNull();
    stuck.destroy();
  });
});
