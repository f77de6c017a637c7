// Receipts of the simulation begin after their checks: what was read is given, and only points are booked.
import { NO_PROGRAMS } from "../terms.ts";
import { randomBytes } from "node:crypto";
import { enrich, lookupItemsOf } from "../../../src/receipts/enrichment.ts";
import type { Receipt } from "../../../src/receipts/receipt.ts";
import type { StageDeps } from "../../../src/receipts/stages/stage.ts";
import { advance, insertReceipt, readFindings, readReceipt } from "../../../src/receipts/store.ts";
import { NO_METERS } from "../../../src/meters.ts";
import { holdUser } from "../../../src/users/store.ts";
import { dictionary, readTyped } from "../typed-receipt.ts";
import type { World } from "./world.ts";

const reading = readTyped(`
LARKMEADOW MARKET
24/10/2026   10:41

RED LENTILS 500G             1.45
WHOLEMEAL BREAD 800G         1.40
BEEF MINCE 500G              4.25

TOTAL                       £7.10
`);

/** Stores a receipt of a user that was read and has passed its checks. Returns its id; null: the user is erased. */
export async function receiveReceipt(world: World, deps: StageDeps, userId: string): Promise<string | null> {
  const { applicationId, database } = world;
  const acceptedAt = new Date(world.clockMs);
  const id = world.newId();
  const rater = (await deps.raterFor(lookupItemsOf(applicationId, reading, null)))(applicationId);
  const enriched = enrich(id, reading, null, { ...rater, catalogueVersion: deps.catalogueVersion });
  if (enriched.kind !== "enriched") throw new Error("the receipt of the simulation has no food");
  const declared = { merchantName: null, amount: null, transactionTimestamp: null };
  const image = { imageKey: `receipts/${id}.jpg`, imageSha256: randomBytes(32), traces: null };
  const owner = { id, applicationId, userId, reference: id };
  const receipt = { ...owner, source: "api", declared, isSample: false, ...image, acceptedAt } as const;
  return database.tx(async (tx) => {
    if ((await holdUser(tx, applicationId, userId)) !== "held") return null;
    await insertReceipt(tx, receipt);
    const name = { isNamed: false, wordShare: null };
    await advance(tx, receipt, "Extracted", { reading, name, isAmountPrinted: true }, acceptedAt);
    await advance(tx, receipt, "Enriched", enriched.enriched, acceptedAt);
    await advance(tx, receipt, "Validated", { checks: [] }, acceptedAt);
    return id;
  });
}

/** What the stages after the checks need. */
export function stageDepsOf(
  parts: Pick<StageDeps, "database" | "raterFor" | "catalogueVersion" | "now" | "newId" | "publish" | "log">,
): StageDeps {
  const never = () => Promise.reject(new Error("its checks are over"));
  return {
    ...parts,
    ...NO_PROGRAMS,
    meters: NO_METERS,
    tracing: null,
    jobs: { send: async () => true },
    readImage: never,
    compareWithEarlier: never,
    purchaseKey: Buffer.alloc(32),
    limits: { perUserPerDayMax: 0, ageMaxDays: 0 },
    merchants: dictionary,
  };
}

/** The receipts of a world, newest first, with the ids of their lines of now. */
export async function receiptsOf({ database, applicationId }: World): Promise<(Receipt & { lines: string[] })[]> {
  const rows = await database.query<{ id: string; lines: string[] | null }>(
    {
      name: "simulation.receipts",
      text: `SELECT receipts.id, (SELECT ARRAY(SELECT line ->> 'id' FROM jsonb_array_elements(after -> 'lines') AS line)
                     FROM receipt_corrections AS made
                     WHERE made.user_id = receipts.user_id AND made.receipt_id = receipts.id AND after IS NOT NULL
                     ORDER BY number DESC LIMIT 1) AS lines
             FROM receipts WHERE application_id = $1 ORDER BY receipts.id DESC`,
    },
    [applicationId],
  );
  const receipts: (Receipt & { lines: string[] })[] = [];
  for (const { id, lines } of rows) {
    const receipt = await readReceipt(database, id);
    if (!receipt) continue;
    const asRead = (await readFindings(database, receipt)).Enriched?.data.lines;
    if (lines ?? asRead) receipts.push({ ...receipt, lines: lines ?? asRead!.map((line) => line.id) });
  }
  return receipts;
}
