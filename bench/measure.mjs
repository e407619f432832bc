// The shape of a measure, and how its time is taken.
import { serverCpuMs } from './server-cpu.mjs';

/**
 * @typedef {object} Run one repetition
 * @property {number} count what was made
 * @property {number} wallMs
 * @property {number} cpuMs of this process: user and system
 * @property {number | null} serverCpuMs of all processes of the database server; null where the system does not tell
 */

/**
 * @typedef {object} Measure
 * @property {string} name
 * @property {string} what one line for people
 * @property {{ readonly seconds?: number, readonly perSecond?: number }} target what must hold for the median
 * @property {(ledger: import('./ledger.mjs').BenchLedger) => Promise<Run>} run
 */

/**
 * Takes the time of some work, wall and CPU.
 * @param {import('./ledger.mjs').BenchLedger} ledger
 * @param {() => Promise<number>} work gives how much it made
 * @returns {Promise<Run>}
 */
export async function timed(ledger, work) {
  const serverBefore = serverCpuMs(ledger.serverPid);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  const serverAfter = serverCpuMs(ledger.serverPid);
  return {
    count,
    wallMs,
    cpuMs: (user + system) / 1_000,
    serverCpuMs: serverBefore === null || serverAfter === null ? null : serverAfter - serverBefore,
  };
}
