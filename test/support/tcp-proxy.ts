import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** What gets lost on the way: everything, what the process says, or what the database says. */
type Silence = 'both' | 'questions' | 'answers';

/** A way to the database that can go silent, be slow or be cut, as networks do. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private silent: Silence | null = null;
  private delayMs = 0;
  private readonly server = createServer((incoming) => this.pass(incoming));

  private constructor(private target: URL) {}

  static async to(url: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url));
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Nothing passes any more, or only in one direction, but every connection stays open and new ones are taken. */
  goSilent(silence: Silence = 'both'): void {
    this.silent = silence;
  }

  /** From now on everything takes so much longer in each direction. */
  slowDown(ms: number): void {
    this.delayMs = ms;
  }

  /** Passes new connections again, at full speed; the silent ones stay silent and the slow ones slow. */
  recover(): void {
    this.silent = null;
    this.delayMs = 0;
  }

  /** New connections lead to another server. */
  retarget(url: string): void {
    this.target = new URL(url);
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: Socket): void {
    const outgoing = connect(Number(this.target.port), this.target.hostname);
    for (const [from, to, direction] of [
      [incoming, outgoing, 'questions'],
      [outgoing, incoming, 'answers'],
    ] as const) {
      let deaf = false;
      let slowMs = 0;
      this.sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        if (this.silent === null) to.destroy();
      });
      from.on('data', (data) => {
        deaf ||= this.silent === 'both' || this.silent === direction;
        if (deaf) return;
        // Never faster than before: what is under way must not be overtaken.
        slowMs = Math.max(slowMs, this.delayMs);
        if (slowMs === 0) to.write(data);
        else setTimeout(() => to.write(data), slowMs);
      });
    }
  }
}
