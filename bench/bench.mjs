// What a measure works with. All that it opens is closed at its end, whatever happened.
import { BenchDatabase } from './database.mjs';
import { BenchLedger } from './ledger.mjs';
import { serverCpuMs } from './server-cpu.mjs';
import { SideProcess } from './side-process.mjs';

export class Bench {
  /**
   * @param {object} world
   * @param {{ readonly url: string, readonly pid: number }} world.server
   * @param {string} world.node the program that runs the sides
   * @param {import('./sizes.mjs').Sizes} world.sizes
   */
  constructor(world) {
    this.world = world;
    this.sizes = world.sizes;
    /** @type {(() => Promise<unknown>)[]} */
    this.open = [];
  }

  async database() {
    const database = await BenchDatabase.create(this.world.server.url);
    this.open.push(() => database.drop());
    return database;
  }

  /** @param {BenchDatabase} database */
  async ledger(database) {
    const ledger = await BenchLedger.open(database);
    this.open.push(() => ledger.close());
    return ledger;
  }

  /**
   * A process of a side, over a database.
   * @param {import('./side-process.mjs').SideName} name
   * @param {BenchDatabase} database
   * @param {{ readonly hints?: boolean }} [options]
   */
  async side(name, { url }, { hints = false } = {}) {
    const side = new SideProcess(name, this.world.node);
    this.open.push(() => side.close());
    await side.request('open', { url, hints });
    return side;
  }

  /**
   * Wall and CPU time of some work.
   * @param {number} count what it makes
   * @param {() => Promise<unknown>} work
   * @param {SideProcess} [side] who does it; default this process
   * @returns {Promise<import('./measure.mjs').Figures>}
   */
  async timed(count, work, side) {
    const { pid } = this.world.server;
    const cpuMs = async () => (side === undefined ? ownCpuMs() : (await side.usage()).cpuMs);
    const serverBefore = serverCpuMs(pid);
    const before = await cpuMs();
    const start = performance.now();
    await work();
    const wallMs = performance.now() - start;
    const after = await cpuMs();
    const serverAfter = serverCpuMs(pid);
    return {
      perSecond: count / (wallMs / 1_000),
      seconds: wallMs / 1_000,
      cpuMicroseconds: ((after - before) * 1_000) / count,
      serverCpuMicroseconds: (((serverAfter ?? Number.NaN) - (serverBefore ?? Number.NaN)) * 1_000) / count,
    };
  }

  /**
   * Closes what was opened, the latest first.
   * @throws AggregateError of what could not be closed; the rest is
   */
  async close() {
    /** @type {unknown[]} */
    const errors = [];
    for (const close of this.open.splice(0).toReversed()) {
      await close().catch((error) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }
}

function ownCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
