// The responses about programmes: what a version is, its preview, and the points by it.
import { setTimeout as sleep } from "node:timers/promises";
import * as intakes from "../../src/intakes/operations.ts";
import { BONUS_TYPE } from "../../src/points/codes.ts";
import * as programs from "../../src/programs/operations.ts";
import { LEAD_MS } from "../../src/programs/versions.ts";
import { DAY_MS } from "../../src/time.ts";
import type { Json, Recording } from "./recording.ts";

/** Last, since what comes after earns by them. */
export async function recordPrograms(recording: Recording): Promise<void> {
  const { service, send, record } = recording;
  const [draft] = programs.saveProgram.examples;
  const [publication] = programs.publishProgram.examples;
  const saveProgram = (await send("POST", "/programs", draft.value)) as { program: { version: number } };
  const publishOf = (version: number, body: object) => send("POST", `/programs/${version}/publish`, body);
  const { version } = saveProgram.program;
  const publishProgram = await publishOf(version, publication.value);
  const withdrawProgram = await send(
    "POST",
    `/programs/${version}/withdraw`,
    programs.withdrawProgram.examples[0].value,
  );
  await recordPreview(recording, version);
  const again = (await send("POST", "/programs", draft.value)) as { program: { version: number } };
  await publishOf(again.program.version, { author: "Mia" });
  service.clock.ms += LEAD_MS;
  const explainWithCampaign = await explainCarrots(recording);
  record("programs.json", {
    saveProgram,
    publishProgram,
    withdrawProgram,
    getCurrentProgram: await send("GET", "/programs/current"),
    listPrograms: await send("GET", "/programs"),
    getCampaignUsage: await send("GET", "/programs/current/campaigns"),
    explainWithCampaign,
  });
}

/** Last of all: two days in a row, under a programme that gives a bonus for them. */
export async function recordProgramBonuses({ service, send, record }: Recording): Promise<void> {
  const streaks = [{ id: "two-days", every: "day", length: 2, points: 30 }];
  const definition = { name: "Winter 2026", timeZone: "Europe/London", bonuses: { streaks } };
  const { program } = (await send("POST", "/programs", { definition })) as { program: { version: number } };
  await send("POST", `/programs/${program.version}/publish`, {});
  service.clock.ms += LEAD_MS;
  // Not the user of the other examples, whose time was moved.
  const person = { email: "grace@example.com", firstName: "Grace", lastName: "Hopper" };
  const { user } = (await send("POST", "/users/enroll", person)) as { user: { userID: string } };
  const [apple] = intakes.trackFood.examples;
  for (const logId of ["apple-1", "apple-2"]) {
    await send("POST", "/track/food", { ...apple.value, userId: user.userID, transactionId: undefined, logId });
    service.clock.ms += DAY_MS;
  }
  const records = `/users/${user.userID}/transactions`;
  const streakOf = async () => {
    const { transactions } = (await send("GET", records)) as {
      transactions: { id: string; bonus: { type: number } }[];
    };
    return transactions.find(({ bonus }) => bonus.type === BONUS_TYPE.streak);
  };
  while (!(await streakOf())) await sleep(50);
  record("programme-bonuses.json", {
    explainBonus: await send("GET", `${records}/${(await streakOf())!.id}/explanation`),
    getReferralCode: await send("GET", `/users/${user.userID}/referral-code`),
  });
}

/** A preview of a version, and its result. */
async function recordPreview({ send, record }: Recording, version: number): Promise<void> {
  const previewProgram = (await send("POST", "/programs/preview", { version, pointValue: 0.01 })) as {
    preview: { id: string };
  };
  for (;;) {
    const getProgramPreview = (await send("GET", `/program-previews/${previewProgram.preview.id}`)) as {
      preview: { result: object | null };
    };
    if (getProgramPreview.preview.result) {
      return record("program-previews.json", { previewProgram, getProgramPreview });
    }
    await sleep(100);
  }
}

/** Tracks a food that a campaign is for, and explains its points. */
async function explainCarrots({ send, userId }: Recording): Promise<Json> {
  const [{ value }] = intakes.trackFood.examples;
  const carrots = {
    ...value,
    userId,
    transactionId: "food-carrots",
    foodId: "carrots-1",
    name: "Carrots",
    nutrition: {},
  };
  const { id } = await send("POST", "/track/food", carrots);
  while ((await send("GET", `/track/food/${String(id)}/status`))["status"] !== "completed") await sleep(50);
  const records = `/users/${userId}/transactions`;
  const { transactions } = (await send("GET", records)) as { transactions: { id: string }[] };
  return send("GET", `${records}/${transactions[0]!.id}/explanation`);
}
