import { createHash } from "node:crypto";
import type { CeilingRequest } from "../ceiling.ts";
import { cpuMsOfTree } from "../cpu.ts";
import { median } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { startProgram } from "../program.ts";
import { cpuBetween } from "../subject.ts";
import type { Subject } from "../subject.ts";
import { warmUp } from "../warm-up.ts";
import { nothingToClose } from "./measurement.ts";
import type { Measurement, Rounds } from "./measurement.ts";
import type { Sample } from "./rounds.ts";

const CONNECTIONS = 128;

/** The server that stores nothing, of this tree for both sides. */
interface Ceiling {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

async function startCeiling({ clientId, clientSecret }: Subject): Promise<Ceiling> {
  const program = startProgram<CeilingRequest, { url: string }>("ceiling.ts");
  const secretHashHex = createHash("sha256").update(clientSecret).digest("hex");
  const { url } = await program.ask({ clientId, secretHashHex });
  return { url, pid: program.pid, stop: program.stop };
}

/** Processor time of a request to the ceiling, in µs, and its rate a second. */
async function loadCeiling(
  subject: Subject,
  { url, pid }: Ceiling,
  bound: { durationMs: number } | { requestsMax: number },
): Promise<{ cpuUs: number; perSecond: number }> {
  const beforeMs = cpuMsOfTree(pid);
  const { accepted, durationMs } = await subject.send({ kind: "food", connections: CONNECTIONS, ...bound, url });
  return { cpuUs: ((cpuMsOfTree(pid) - beforeMs) / accepted) * 1_000, perSecond: (accepted / durationMs) * 1_000 };
}

/** Foods that one service accepts, and the ceiling right before it. */
export function accepting(
  role: "start" | "serve",
  options: { rounds: number; roundMs: number; warmUpFoods?: number },
): Measurement {
  const { rounds, roundMs: durationMs, warmUpFoods } = options;
  const how = role === "serve" ? "npm run serve" : "npm start";
  const begin = async (subject: Subject, progress: Progress): Promise<Rounds> => {
    // First: whatever fails here leaves no ceiling behind.
    await warmUp(subject, { progress, settled: role === "start" ? subject.settled : undefined, foods: warmUpFoods });
    const ceiling = await startCeiling(subject);
    const round = async (): Promise<Sample[]> => {
      const most = await loadCeiling(subject, ceiling, { durationMs });
      const before = subject.cpu();
      const sent = await subject.send({ kind: "food", connections: CONNECTIONS, durationMs });
      const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
      const share = (sent.accepted / sent.durationMs) * 1_000;
      const samples = [{ name: `accepted against the ceiling, ${how}`, value: share / most.perSecond, unit: "" }];
      if (role === "start") {
        // The work of this round must not run in the next one, which is that of the other tree.
        await subject.settled();
        return samples;
      }
      const [node, postgres] = [nodeMs, postgresMs].map((ms) => (ms / sent.accepted) * 1_000) as [number, number];
      return [
        ...samples,
        { name: "processor time of accepting a food, Node", value: node, unit: "µs" },
        { name: "processor time of accepting a food, PostgreSQL", value: postgres, unit: "µs" },
        {
          name: "processor time of accepting a food, in requests to the ceiling",
          value: (node + postgres) / most.cpuUs,
          unit: "×",
        },
      ];
    };
    return { round, close: ceiling.stop };
  };
  return { role, rounds, begin };
}

/** Processor time of intakes from the request to their last webhook. */
export function intakes(options: { rounds: number; foods: number; warmUpFoods?: number }): Measurement {
  const { rounds, foods, warmUpFoods } = options;
  const begin = async (subject: Subject, progress: Progress): Promise<Rounds> => {
    await warmUp(subject, { progress, settled: subject.settled, foods: warmUpFoods });
    const ceiling = await startCeiling(subject);
    const round = async (): Promise<Sample[]> => {
      const most = await loadCeiling(subject, ceiling, { requestsMax: 2 * foods });
      const [before, { deliveries }] = [subject.cpu(), await subject.settled()];
      const startedMs = performance.now();
      const { accepted } = await subject.send({ kind: "food", connections: CONNECTIONS, requestsMax: foods });
      const after = await subject.settled();
      const durationMs = performance.now() - startedMs;
      const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
      const [node, postgres] = [nodeMs, postgresMs].map((ms) => (ms / accepted) * 1_000) as [number, number];
      return [
        { name: "processor time of an intake, Node", value: node, unit: "µs" },
        { name: "processor time of an intake, PostgreSQL", value: postgres, unit: "µs" },
        { name: "processor time of an intake", value: node + postgres, unit: "µs" },
        {
          name: "processor time of an intake, in requests to the ceiling",
          value: (node + postgres) / most.cpuUs,
          unit: "×",
        },
        { name: "webhooks of an intake", value: (after.deliveries - deliveries) / accepted, unit: "" },
        { name: "intakes from request to last webhook", value: (accepted / durationMs) * 1_000, unit: "/s" },
      ];
    };
    return { round, close: ceiling.stop };
  };
  return { role: "start", rounds, begin };
}

/** Most requests at once of the load with a rate. */
const EVEN_AT_ONCE = 256;

/** Processor time of intakes that come evenly, each by itself: few are accepted, scored and delivered together. */
export function even(options: {
  rounds: number;
  perSecond: number;
  durationMs: number;
  warmUpFoods?: number;
}): Measurement {
  const { rounds, perSecond, durationMs, warmUpFoods } = options;
  const begin = async (subject: Subject, progress: Progress): Promise<Rounds> => {
    await warmUp(subject, { progress, settled: subject.settled, foods: warmUpFoods });
    const round = async (): Promise<Sample[]> => {
      await subject.settled();
      const before = subject.cpu();
      const sent = await subject.send({ kind: "food", connections: EVEN_AT_ONCE, durationMs, perSecond });
      const sentAtMs = performance.now();
      await subject.settled();
      const lateMs = performance.now() - sentAtMs;
      const { nodeMs, postgresMs } = cpuBetween(before, subject.cpu());
      const [node, postgres] = [nodeMs, postgresMs].map((ms) => (ms / sent.accepted) * 1_000) as [number, number];
      return [
        { name: `processor time of an intake at ${perSecond}/s, Node`, value: node, unit: "µs" },
        { name: `processor time of an intake at ${perSecond}/s, PostgreSQL`, value: postgres, unit: "µs" },
        { name: `processor time of an intake at ${perSecond}/s`, value: node + postgres, unit: "µs" },
        { name: `time to the 202 at ${perSecond}/s`, value: median(sent.requests.map(([, ms]) => ms)), unit: "ms" },
        { name: `time after the last request at ${perSecond}/s`, value: lateMs, unit: "ms" },
      ];
    };
    return { round, close: nothingToClose };
  };
  return { role: "start", rounds, begin };
}

/** Time of a food while nothing else is done. */
export function idle({ rounds, foods }: { rounds: number; foods: number }): Measurement {
  const begin = async (subject: Subject): Promise<Rounds> => {
    const round = async (n: number): Promise<Sample[]> => {
      const [waits, responses]: [number[], number[]] = [[], []];
      for (let i = 0; i < foods; i++) {
        const sentMs = performance.timeOrigin + performance.now();
        const id = await subject.track(`idle-${n}-${i}`);
        responses.push(performance.timeOrigin + performance.now() - sentMs);
        waits.push((await subject.endOf(id)).atMs - sentMs);
        await subject.settled();
      }
      return [
        { name: "a lone food, request to intake.completed", value: median(waits), unit: "ms" },
        { name: "a lone food, to its 202", value: median(responses), unit: "ms" },
      ];
    };
    return { round, close: nothingToClose };
  };
  return { role: "start", rounds, begin };
}
