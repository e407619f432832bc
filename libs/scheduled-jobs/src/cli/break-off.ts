const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl-C may arrive twice, from the terminal and from npx. */
const SAME_SIGNAL_MS = 1_000;

/** What a command says that was broken off. */
export const BROKEN_OFF = 'Broken off: the same command goes on.';

/**
 * From now on Ctrl-C or SIGTERM aborts the signal that it gives, so that the command ends behind what is going on and tells
 * what was done. Another one, a second or more later, ends the process as if nobody listened.
 */
export function breakOffOnSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(() => SIGNALS.forEach((signal) => process.off(signal, onSignal)), SAME_SIGNAL_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return controller.signal;
}
