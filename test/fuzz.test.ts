import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 150);
/** The seed of a failure to repeat. Without one fast-check chooses a seed, and prints it on failure. */
const SEED = process.env["FUZZ_SEED"];

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

/** Typical errors of programs: other types, extreme numbers, strings that break databases or pages. */
const oddity = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    " ",
    "\0",
    "\ud800",
    "0",
    "-1",
    [],
    {},
    [[]],
    "__proto__",
    "'; --",
    "\u202e",
  ),
  fc.constantFrom(0, -0, -1, 1e-7, 1e-320, 0.1 + 0.2, 2 ** 31, 2 ** 53, 1e15, 1e308),
  fc.constantFrom("2025-02-29T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "not a time"),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

const near = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: oddity });

/** A record of almost valid members; each may be missing, and there may be unknown ones. */
function nearly(required: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>> = {}) {
  const members = Object.fromEntries(
    Object.entries({ ...required, ...optional }).map(([name, value]) => [name, near(value)]),
  );
  const strays = fc.dictionary(fc.constantFrom("totalPoints", "constructor", "id", "toString", "Zoë"), oddity, {
    maxKeys: 2,
  });
  const mayMiss = fc.oneof(
    { weight: 6, arbitrary: fc.constant(Object.keys(required)) },
    { weight: 1, arbitrary: fc.subarray(Object.keys(required)) },
  );
  return mayMiss.chain((requiredKeys) =>
    fc.tuple(fc.record(members, { requiredKeys }), strays).map(([record, stray]) => ({ ...stray, ...record })),
  );
}

const text = fc.constantFrom(
  "Apple",
  "Lentil stew",
  "Beef mince",
  "Coca-Cola 330 ml",
  "水",
  "Crème brûlée",
  "x".repeat(255),
  "Xqzvw",
);
const address = fc.constantFrom("https://example.org/a.jpg", "x", "javascript:alert(1)");
const country = fc.constantFrom("GB", "", "ZZ");
const currency = fc.constantFrom("GBP", "eur", "JPY", "KWD", "XXX");
const amount = fc.constantFrom(0, 0.01, 1.005, 9.99, 1e9);
const weight = fc.constantFrom(1e-6, 0.5, 150, 1e6);
const quantity = fc.constantFrom(1e-3, 1, 2.5, 1e4);
const unit = fc.constantFrom("g", "kg", "ml", "oz", "piece", "", "furlong");
const grams = fc.constantFrom(0, 0.1, 12, 1e7);
const nutrition = nearly(
  {},
  { energyKcal: grams, proteinG: grams, carbsG: grams, fatG: grams, sugarG: grams, fiberG: grams, saltG: grams },
);
const merchant = nearly({ name: text }, { logo: address, website: address, domain: text, country });
const reference = fc.uuid();
const time = fc.constantFrom(new Date().toISOString(), "2026-01-31T12:00:00+05:30", "2020-02-29T23:59:59Z");
const user = fc.constant("USER");

const ingredient = nearly(
  { foodId: text, name: text },
  { imageUrl: address, merchant, weight, unit, quantity, amount, currency, nutrition },
);
const enrolment = { email: fc.constant("NEW ADDRESS"), firstName: text, lastName: text };
const enrolmentMore = { imageUrl: address, country, city: text, postalCode: text };
const redirect = {
  redirectUri: fc.constantFrom("https://app.example/back", "myapp://done", "javascript:x"),
  locale: fc.constantFrom("de", "en-GB"),
};

const BODIES: Record<string, fc.Arbitrary<object>> = {
  "/track/meals": nearly(
    {
      userId: user,
      transactionId: reference,
      mealName: text,
      imageUrl: address,
      loggedAt: time,
      mealType: fc.constantFrom("lunch", "snack"),
    },
    {
      country,
      location: text,
      metadata: fc.dictionary(fc.string(), oddity),
      ingredients: fc.array(ingredient, { maxLength: 4 }),
    },
  ),
  "/track/food": nearly(
    { userId: user, logId: reference, foodId: text, name: text, imageUrl: address, merchant, weight, unit, nutrition },
    { quantity, amount, currency },
  ),
  "/users/enroll": nearly(enrolment, enrolmentMore),
  "/users/enroll/session": nearly(enrolment, { ...enrolmentMore, ...redirect }),
  "/track/receipts/session": nearly(
    { userId: user },
    { transactionId: reference, amount, merchantName: text, transactionTimestamp: time, ...redirect },
  ),
};

/** Counts the rows that the operations create. */
async function stored(): Promise<number> {
  const text =
    "SELECT (SELECT count(*) FROM intakes) + (SELECT count(*) FROM users) + (SELECT count(*) FROM sessions) AS rows";
  const [row] = await service.database.query<{ rows: string }>({ name: "test.stored", text });
  return Number(row!.rows);
}

for (const [path, bodies] of Object.entries(BODIES)) {
  test(`${path} accepts or refuses almost valid requests, and stores only accepted ones`, async () => {
    const before = await stored();
    let [sent, taken] = [0, 0];
    const check = async (body: object) => {
      const payload = JSON.stringify(body)
        .replaceAll('"USER"', JSON.stringify(userId))
        .replaceAll('"NEW ADDRESS"', JSON.stringify(`${path.length}-${sent++}@example.org`));
      const headers = { ...client.headers, "content-type": "application/json" };
      const response = await service.app.server.inject({
        method: "POST",
        url: `${path}?api-version=1.0`,
        headers,
        payload,
      });
      if (response.statusCode < 300) taken += 1;
      else {
        assert.equal(response.statusCode, 400, response.body);
        assert.match(String(response.headers["content-type"]), /^application\/problem\+json/);
        const problem = response.json();
        assert.equal(problem.status, 400);
        if (problem.code === "ValidationFailed")
          assert.ok(Object.keys(problem.errors).length > 0, "some error is named");
        else assert.equal(problem.code, "MalformedBody");
      }
    };
    await fc.assert(fc.asyncProperty(bodies, check), { numRuns: RUNS, ...(SEED && { seed: Number(SEED) }) });
    assert.ok(taken > RUNS / 20 && taken < RUNS, `${taken} of ${RUNS} were taken: both ways are tried`);
    assert.equal(await stored(), before + taken);
  });
}

test("every accepted submission ends, and fails only through errors of the sender", async () => {
  const left = { name: "test.left", text: "SELECT count(*)::float8 AS count FROM intakes WHERE finished_at IS NULL" };
  const isOver = async () => (await service.database.query<{ count: number }>(left))[0]!.count === 0;
  await client.until((all) => all.some((event) => nameOf(event) === "intake.completed"));
  for (const deadline = Date.now() + 60_000; !(await isOver()) && Date.now() < deadline;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const ends = {
    name: "test.ends",
    text: "SELECT DISTINCT coalesce(error_type, state) AS end FROM intakes ORDER BY 1",
  };
  const seen = (await service.database.query<{ end: string }>(ends)).map(({ end }) => end);
  const allowed = ["completed", "DATA_INCOMPLETE", "DUPLICATE_MEAL", "NO_VALID_FOOD_ITEMS", "OLD_MEAL_LOG"];
  assert.deepEqual(
    seen.filter((end) => !allowed.includes(end)),
    [],
  );
  const { body } = await client.call("GET", `/users/${userId}/transactions?All=true`);
  assert.doesNotMatch(body, /"(qty|pricePerUnit|total\w+|healthPoints|bonusPoints)":(null|-)/);
});
