import { userInfo } from 'node:os';

/** Who starts this, as the audit of the demo names them. */
export function localUser() {
  try {
    return userInfo().username;
  } catch {
    return 'operator'; // An account without a name, as in some containers.
  }
}
