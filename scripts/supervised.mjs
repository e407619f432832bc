// Preloaded into a supervised application: a launcher that was killed cannot signal it any more, but its channel closes.
const SHUTDOWN_PATIENCE_MS = 7_000;

process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), SHUTDOWN_PATIENCE_MS).unref();
});
process.channel?.unref(); // listening for its end must not keep an application alive that has nothing left to do
