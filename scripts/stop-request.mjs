/**
 * Calls back, each time with the reason, when this process is asked to end: by a signal, or because its parent is gone.
 * npm hands a signal to its shell, not to us; when that shell dies, or npm itself is killed, we only get another parent.
 * @param {(reason: string) => void} callback
 */
export function onStopRequest(callback) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => callback(signal));
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback('its parent process has ended');
  }, 250);
  timer.unref();
}
