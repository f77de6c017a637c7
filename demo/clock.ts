// node --import demo/clock.ts PROGRAM: the program's clock differs from the machine's by the milliseconds in the file
// DEMO_CLOCK, which may change while it runs. So the service lives through a month in less than a minute. Timers, and
// the clock of the database, do not change.
import { readFileSync } from "node:fs";

const MachineDate = Date;
const READ_EVERY_MS = 20;
const file = process.env["DEMO_CLOCK"] ?? "";
let differenceMs = 0;
differenceMs = read();
setInterval(() => {
  differenceMs = read();
}, READ_EVERY_MS).unref();

// A proxy, so that `new Date(x)`, Date.parse and Date.UTC stay what they are.
globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + differenceMs] : args, newTarget) as object,
  get: (target, name, receiver) =>
    name === "now" ? () => target.now() + differenceMs : (Reflect.get(target, name, receiver) as unknown),
});

/** The last value stays while the file is missing. */
function read(): number {
  try {
    return Number(readFileSync(file, "utf8")) || 0;
  } catch {
    return differenceMs;
  }
}
