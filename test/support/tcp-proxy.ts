import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A way to the database that can go silent or be cut, as networks do. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private silent = false;
  private readonly server = createServer((incoming) => this.pass(incoming));

  private constructor(private readonly target: URL) {}

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

  /** Nothing passes any more, but every connection stays open and new ones are taken. */
  goSilent(): void {
    this.silent = true;
  }

  /** Passes new connections again; the silent ones stay silent. */
  recover(): void {
    this.silent = false;
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
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      let deaf = false;
      this.sockets.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        this.sockets.delete(from);
        if (!this.silent) to.destroy();
      });
      from.on('data', (data) => {
        deaf ||= this.silent;
        if (!deaf) to.write(data);
      });
    }
  }
}
