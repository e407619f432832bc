// PostgreSQL refuses to run as root. Nothing is created on the host for it: an account that is there is used.
import { execFileSync } from 'node:child_process';

/** @typedef {{ readonly uid: number, readonly gid: number }} Account */

/**
 * The account to run PostgreSQL under; undefined = the one this process has.
 * @returns {Account | undefined}
 */
export function chooseAccount() {
  if (process.getuid?.() !== 0) return undefined;
  const account = ['postgres', 'nobody'].map(lookUp).find((found) => found !== undefined);
  if (account === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and there is neither an account postgres nor nobody; ' +
        'start this as an ordinary user, or set DATABASE_URL to a server of your own.',
    );
  }
  return account;
}

/**
 * @param {string} name
 * @returns {Account | undefined}
 */
function lookUp(name) {
  /** @param {string} flag */
  const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
