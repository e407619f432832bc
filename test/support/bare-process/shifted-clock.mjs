// A wall clock of this process's own: `Date` is as far from the machine's time as the parent says. Timers and the monotonic
// clock stay as they are, as when a real clock steps.
const MachineDate = Date;
let offsetMs = 0;
const now = () => MachineDate.now() + offsetMs;

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new MachineDate(now()).toString(),
  get: (target, property) => (property === 'now' ? now : Reflect.get(target, property)),
});

/** Steps the clock; gives the time it shows from now on. */
export function shiftClock(ms) {
  offsetMs = ms;
  return now();
}
