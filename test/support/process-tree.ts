import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isAlive, startOf } from '../../scripts/processes.mjs';

/** A process that is told from a later one with the same id. */
export interface KnownProcess {
  readonly pid: number;
  readonly start: string | undefined;
}

/** A process and everything it has started, directly or not, as they are now. */
export function processTree(root: number): readonly KnownProcess[] {
  const parents = parentsByPid();
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.map((pid) => ({ pid, start: startOf(pid) }));
}

/** Those of the processes that have not ended. */
export function stillAlive(processes: readonly KnownProcess[]): readonly number[] {
  return processes.filter(({ pid, start }) => isAlive(pid) && startOf(pid) === start).map(({ pid }) => pid);
}

function parentsByPid(): ReadonlyMap<number, number> {
  const lines = process.platform === 'linux' ? linesFromProc() : linesFromPs();
  return new Map(lines.map((line) => [Number(line.pid), Number(line.parent)]));
}

function linesFromProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        // the program's name stands in parentheses and may hold anything; the parent is the second field behind it
        return [{ pid, parent: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] }];
      } catch {
        return []; // it has just ended
      }
    });
}

function linesFromPs() {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return table.split('\n').map((line) => {
    const [pid, parent] = line.trim().split(/\s+/);
    return { pid, parent };
  });
}
