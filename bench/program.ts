import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A program of the bench in a process of its own, so that its work is not counted as the service's. */
export interface Program<Request, Reply> {
  readonly pid: number;
  /** Sends a request and returns its reply. Replies come in order. Rejects when the program ends. */
  ask(request: Request): Promise<Reply>;
  stop(): Promise<void>;
}

/** Starts `file` of this folder, which must call `serveParent`. */
export function startProgram<Request extends object, Reply>(file: string): Program<Request, Reply> {
  const child = fork(join(import.meta.dirname, file), { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const asking: { done: (reply: Reply) => void; fail: (error: Error) => void }[] = [];
  child.on("message", (reply) => asking.shift()?.done(reply as Reply));
  child.on("exit", () => asking.splice(0).forEach(({ fail }) => fail(new Error(`${file} ended by itself`))));
  return {
    pid: child.pid!,
    ask: (request) =>
      new Promise((done, fail) => {
        asking.push({ done, fail });
        // Without a function, a program that has ended would end this one by an error of its own.
        child.send(request, (error) => error && fail(error));
      }),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** The side of the program: replies to each request of its parent, in order, and ends with it. */
export function serveParent(reply: (request: never) => object | Promise<object>): void {
  let last: Promise<unknown> = Promise.resolve();
  process.on("message", (request) => {
    last = last.then(async () => process.send!(await reply(request as never)));
  });
  process.on("disconnect", () => process.exit(0));
}
