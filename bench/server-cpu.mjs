// What the operating system says about the processes of a database server.
import { readdirSync, readFileSync } from 'node:fs';

/** The clock ticks of /proc, the same on every Linux that Node runs on. */
const TICK_MS = 10;

/**
 * CPU time of a server and its children, those that have ended included; null where there is no /proc.
 * @param {number} serverPid
 */
export function serverCpuMs(serverPid) {
  const own = statOf(serverPid);
  if (own === null) return null;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== null && stat.parent === serverPid);
  const ticks = own.ticks + own.endedTicks + children.reduce((sum, child) => sum + (child?.ticks ?? 0), 0);
  return ticks * TICK_MS;
}

/** @param {number} pid */
function statOf(pid) {
  try {
    // The name of the program stands in parentheses and may hold blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    return { parent, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch {
    return null;
  }
}
