import { hostname, userInfo } from 'node:os';
import { flag, required, text, type Given } from './option.js';

/** Who acts, and why. */
export const OPERATOR_OPTIONS = {
  reason: required(text('<text>', 'why, for the audit: up to 1000 characters')),
  actor: text('<name>', 'who, for the audit; default the user and the name of this machine, such as anna@laptop'),
};

/** Many at once: first a look. */
export const BULK_OPTIONS = {
  yes: flag('do it; without it nothing is changed, and the answer tells what would be'),
  'dry-run': flag('only tell what would be done, as without --yes'),
};

/** Who acts and why, for the client. */
export const operatorOf = ({ reason, actor }: Given<typeof OPERATOR_OPTIONS>) => ({
  reason,
  actor: actor ?? defaultActor(),
});

export const bulkProblems = (options: Given<typeof BULK_OPTIONS>): readonly string[] =>
  options.yes && options['dry-run'] ? ['Give either --yes or --dry-run.'] : [];

/** In a container the name of the user tells little, that of the machine which one it was. */
function defaultActor(): string {
  return `${userName()}@${hostname()}`.slice(0, 200);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // The user of the process has no entry among the users of the machine.
  }
}
