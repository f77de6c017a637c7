// node --import=…/clock-ahead.ts PROGRAM: the program's clock is ahead of the machine's by CLOCK_AHEAD_MS. So retention
// runs as it does weeks later, without waiting for it. Timers, and the clock of the database, do not change.
const aheadMs = Number(process.env["CLOCK_AHEAD_MS"] ?? 0);
const MachineDate = Date;

// A proxy, so that `new Date(x)`, Date.parse and Date.UTC stay what they are.
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget) as object,
  get: (target, name, receiver) =>
    name === "now" ? () => target.now() + aheadMs : (Reflect.get(target, name, receiver) as unknown),
});
