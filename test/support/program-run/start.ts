// Starts a service with an application that has no endpoint of webhooks, and a clock to be moved.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramDefinition } from "../../../src/programs/definition.ts";
import { GROCERIES } from "../groceries.ts";
import { startService } from "../service.ts";
import { readerOf } from "./acts.ts";
import type { World } from "./acts.ts";
import type { RunOptions } from "./simulate.ts";

const EXAMPLE = join(import.meta.dirname, "../../../docs/programs/example.json");

/** The programme that the documentation has as its example. */
export function exampleProgram(): ProgramDefinition {
  return JSON.parse(readFileSync(EXAMPLE, "utf8")) as ProgramDefinition;
}

export async function startWorld(): Promise<World> {
  const page = { now: GROCERIES as readonly string[] };
  const service = await startService({ ocr: readerOf(page) });
  const startedAt = performance.now();
  const client = await service.newClient();
  // Nobody reads the events, and sending them would take most of the time.
  const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  for (const { id } of endpoints) await client.call("DELETE", `/webhooks/endpoints/${id}`);
  const passed = () => performance.now() - startedAt;
  return {
    service,
    client,
    page,
    submissions: [],
    now: () => service.clock.ms + passed(),
    setTime: (ms) => {
      service.clock.ms = ms - passed();
    },
  };
}

/** The version that comes into force in the middle: other numbers, and ways to give points that the first has not. */
function changedProgram({ points, limits, campaigns = [], bonuses, ...rest }: ProgramDefinition): ProgramDefinition {
  return {
    ...rest,
    points: { ...points, receipt: { multiplier: 1.5 }, food: { multiplier: 0.75 }, rounding: "down" },
    limits: { ...limits, day: { points: 80 } },
    campaigns: [
      ...campaigns,
      {
        id: "a-for-the-climate",
        name: "A for the climate",
        from: "2026-09-14",
        till: "2026-12-31",
        when: { sources: ["food", "receipt"], grades: { climate: ["A"] }, weekdays: ["mon", "wed"] },
        effect: { pointsPerItem: 2 },
      },
    ],
    bonuses: {
      ...bonuses,
      welcome: { points: 40, on: "first_points" },
      streaks: [
        ...(bonuses?.streaks ?? []),
        { id: "two-weeks", every: "week", length: 2, points: 15, sources: ["receipt", "meal"] },
      ],
    },
  };
}

/** The run of the example: some of its numbers change in the middle. What is scarce is so for any number of users. */
export function runOf({ users, days, seed }: Pick<RunOptions, "users" | "days" | "seed">): RunOptions {
  const example = exampleProgram();
  const share = (users * days) / (200 * 90);
  const scarce = (definition: ProgramDefinition): ProgramDefinition => ({
    ...definition,
    campaigns: (definition.campaigns ?? []).map((each) => ({
      ...each,
      ...(each.budget !== undefined && { budget: Math.ceil(each.budget * share) }),
      ...(each.firstUsers !== undefined && { firstUsers: Math.ceil((each.firstUsers * users) / 200) }),
    })),
  });
  return {
    users,
    days,
    seed,
    firstDay: "2026-09-14",
    definitions: [scarce(example), scarce(changedProgram(example))],
    eats: 0.15,
    buys: 0.03,
  };
}
