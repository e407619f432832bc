import type { Command } from './command.js';
import { ACKNOWLEDGE_COMMAND } from './commands/acknowledge-command.js';
import { BACKFILL_COMMAND } from './commands/backfill-command.js';
import { CANCEL_COMMAND } from './commands/cancel-command.js';
import { CHECK_COMMAND } from './commands/check-command.js';
import { DOCTOR_COMMAND } from './commands/doctor-command.js';
import { MIGRATE_COMMAND } from './commands/migrate-command.js';
import { PAUSE_COMMAND, RESUME_COMMAND } from './commands/pause-commands.js';
import { PRUNE_COMMAND } from './commands/prune-command.js';
import { REPLAY_COMMAND } from './commands/replay-command.js';
import { RETRY_COMMAND } from './commands/retry-command.js';
import { STATUS_COMMAND } from './commands/status-command.js';
import { TICK_COMMAND } from './commands/tick-command.js';
import { TRIGGER_COMMAND } from './commands/trigger-command.js';
import { WHY_COMMAND } from './commands/why-command.js';

/** All commands, in the order in which people meet them. */
export const COMMANDS: readonly Command[] = [
  MIGRATE_COMMAND,
  CHECK_COMMAND,
  TICK_COMMAND,
  STATUS_COMMAND,
  WHY_COMMAND,
  TRIGGER_COMMAND,
  PAUSE_COMMAND,
  RESUME_COMMAND,
  BACKFILL_COMMAND,
  RETRY_COMMAND,
  REPLAY_COMMAND,
  CANCEL_COMMAND,
  ACKNOWLEDGE_COMMAND,
  PRUNE_COMMAND,
  DOCTOR_COMMAND,
];
