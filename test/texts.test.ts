// Whatever text people write goes through unchanged, and is never more than text.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { nameOf, startService } from "./support/service.ts";
import type { Client, Event, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

const TEXTS = [
  "🥗 family 👩‍👩‍👧‍👦 flag 🇬🇧",
  "\u202Egnp.exe\u202C",
  "e\u0301 beside é, a\u0308 beside ä",
  "漢字とかな",
  "'; DROP TABLE users; --",
  "' OR '1'='1",
  '"); DELETE FROM records WHERE (""=("',
  "$1 $$ %s %00 \\x00 \\u0000",
  "\u2028\u2029\ufeff\u00a0x",
];

async function storyOf(trackId: string): Promise<Event[]> {
  const isOurs = (event: Event) => event["trackId"] === trackId;
  const isOver = (event: Event) => isOurs(event) && /completed|failed/.test(nameOf(event));
  return (await client.until((all) => all.some(isOver))).filter(isOurs);
}

test("any text in any member of a food comes back byte for byte: in events, status and record", async () => {
  for (const text of TEXTS) {
    const merchant = { name: text, logo: text, website: text, domain: text, country: text };
    const known = { foodId: "apple", name: "Apple", weight: 150, unit: "g", nutrition: { energyKcal: 80 } };
    const response = await client.call("POST", "/track/food", {
      userId,
      logId: text,
      ...known,
      imageUrl: text,
      merchant,
    });
    assert.equal(response.statusCode, 202, response.body);
    const { trackId } = response.json<{ trackId: string }>();
    for (const event of await storyOf(trackId)) assert.equal(event["transactionId"], text);
    const { submission } = (await client.call("GET", `/track/food/${trackId}/status`)).json();
    assert.deepEqual([submission.reference, submission.imageUrl, submission.merchant], [text, text, merchant]);
    const { transactions } = (await client.call("GET", `/users/${userId}/transactions?First=true`)).json();
    const { transaction } = transactions[0];
    assert.deepEqual([transaction.externalTransactionID, transaction.brand, transaction.logo], [text, text, text]);
    assert.equal(transaction.items[0].imageURL, text);
  }
});

test("any text in a meal comes back byte for byte, beside what is rated", async () => {
  for (const text of TEXTS) {
    const ingredients = [
      { foodId: text, name: text, unit: "g", imageUrl: text, merchant: { name: text } },
      { foodId: "oats", name: "Porridge oats" },
    ];
    const more = { imageUrl: text, country: text, location: text, metadata: { [text]: text }, ingredients };
    const meal = { userId, transactionId: `meal ${text}`, mealName: text, loggedAt: new Date().toISOString(), ...more };
    const response = await client.call("POST", "/track/meals", { ...meal, mealType: "lunch" });
    assert.equal(response.statusCode, 202, response.body);
    const [received, scored] = await storyOf(response.json<{ trackId: string }>().trackId);
    assert.deepEqual([received!["country"], scored!["name"], scored!["imageUrl"]], [text, text, text]);
    const { transactions } = (await client.call("GET", `/users/${userId}/transactions?First=true`)).json();
    const { transaction } = transactions[0];
    assert.deepEqual([transaction.location, transaction.excludedItems[0].name], [text, text]);
    assert.equal(transaction.excludedItems[0].externalId, text);
  }
});

test("any text in an enrolment is stored as it is, and the consent page shows it as text", async () => {
  for (const [i, text] of TEXTS.entries()) {
    const person = { email: `text-${i}@example.org`, firstName: text, lastName: text };
    const more = { imageUrl: text, country: text, city: text, postalCode: text };
    const { user } = (await client.call("POST", "/users/enroll", { ...person, ...more })).json<{
      user: { userID: string };
    }>();
    const kept = "SELECT first_name, last_name, image_url, country, city, postal_code FROM users WHERE id = $1";
    const [row] = (await service.database.pool.query<object>(kept, [user.userID])).rows;
    assert.deepEqual(Object.values(row!), Array(6).fill(text));
    const session = await client.call("POST", "/users/enroll/session", { ...person, email: `page-${i}@example.org` });
    const { pathname, search } = new URL(session.json<{ redirectUrl: string }>().redirectUrl);
    const page = await service.app.server.inject({ method: "GET", url: pathname + search });
    const escaped = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
    assert.ok(page.body.includes(escaped), `${text} on the page`);
  }
});

test("a meal's window is counted on instants, whatever zone its time is written in", async () => {
  const inZone = (ms: number, hours: number) => {
    const sign = hours < 0 ? "-" : "+";
    const zone = `${sign}${String(Math.abs(hours)).padStart(2, "0")}:00`;
    return new Date(ms + hours * 3_600_000).toISOString().replace("Z", zone);
  };
  const oldest = Date.now() - 14 * 86_400_000;
  for (const hours of [-12, 0, 5, 14]) {
    for (const [ms, errorType] of [
      [oldest + 300_000, undefined],
      [oldest - 300_000, "OLD_MEAL_LOG"],
    ] as const) {
      const meal = {
        userId,
        transactionId: `zone ${hours} ${ms}`,
        mealName: "Banana",
        imageUrl: "x",
        mealType: "snack",
      };
      const response = await client.call("POST", "/track/meals", { ...meal, loggedAt: inZone(ms, hours) });
      const story = await storyOf(response.json<{ trackId: string }>().trackId);
      assert.equal(story[0]!["loggedAt"], new Date(ms).toISOString());
      assert.equal(story.at(-1)!["errorType"], errorType);
    }
  }
});
