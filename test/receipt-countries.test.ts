import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFindings, readReceipt } from "../src/receipts/store.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf, picture } from "./support/groceries.ts";
import { startReceipts } from "./support/receipts-under-test.ts";
import type { TestClient } from "./support/receipts-client.ts";
import type { ReceiptsUnderTest } from "./support/receipts-under-test.ts";

let service: ReceiptsUnderTest;
let app: TestClient;
before(async () => {
  service = await startReceipts();
  app = await service.client();
});
after(() => service.close());

const SET_COUNTRY = { name: "test.set-country", text: "UPDATE users SET country = $2 WHERE id = $1" };

/** Uploads a receipt of a new user with a country, and returns where it was read to be from. */
async function originOf(rows: readonly string[], userCountry: string | null) {
  service.read = async () => pageOf(rows);
  const userId = await app.enrol();
  await service.database.query(SET_COUNTRY, [userId, userCountry]);
  const id = await app.accepted({ fields: formFor(userId), image: await picture() });
  await service.process(id);
  const { Extracted } = await readFindings(service.database, (await readReceipt(service.database, id))!);
  return [Extracted?.data.reading.country, Extracted?.data.reading.currency];
}

const country = (...options: string[]) =>
  runCommand<{ country: string | null }>(service.database, [
    "app",
    "country",
    "--client-id",
    app.application.clientId,
    ...options,
  ]);

test("a lone $ has the currency of its user's country, else of its application's, unless the paper shows another", async () => {
  const dollars = GROCERIES.map((row) => row.replace("£", "$").replace("Tel 01632 960142", ""));
  assert.deepEqual(await originOf(dollars, null), ["US", "USD"]);
  assert.equal((await country())[0]?.country, null);
  assert.equal((await country("--is", "nz"))[0]?.country, "NZ");
  assert.deepEqual(await originOf(dollars, null), ["NZ", "NZD"]);
  assert.deepEqual(await originOf(dollars, "Canada"), ["CA", "CAD"]);
  assert.deepEqual(await originOf(dollars, "no country"), ["NZ", "NZD"]);
  assert.deepEqual(await originOf(GROCERIES, "Canada"), ["GB", "GBP"]);
  assert.equal((await country("--is", "off"))[0]?.country, null);
  await assert.rejects(country("--is", "somewhere"), /ISO 3166-1/);
});
