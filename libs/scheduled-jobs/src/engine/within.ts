/** Waits for `done`, but not longer than `timeoutMs`; either way the wait ends without a value. Rejects with `done`. */
export async function within(timeoutMs: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    await Promise.race([done, patience]);
  } finally {
    clearTimeout(timer);
  }
}
