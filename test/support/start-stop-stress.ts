/** Everything in the engine that lives long. */
export interface Service {
  start(): unknown;
  stop(): Promise<void>;
}

/**
 * Starts and stops a service in every awkward order. Gives what `isQuiet` says afterwards: whether the service, which must
 * be stopped by then, does nothing by itself any more.
 */
export async function startStopStress(service: Service, isQuiet: () => Promise<boolean>): Promise<boolean> {
  await service.stop();
  service.start();
  service.start();
  await service.stop();
  await service.stop();
  for (let round = 0; round < 20; round++) {
    service.start();
    const stopping = [service.stop(), service.stop()];
    if (round % 2 === 0) service.start();
    await Promise.all(stopping);
    await service.stop();
  }
  await Promise.all(Array.from({ length: 5 }, () => service.stop()));
  return isQuiet();
}
