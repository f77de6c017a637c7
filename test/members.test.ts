import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { problemIn, startRequests } from "./support/requests.ts";
import type { Requests } from "./support/requests.ts";
import { nameOf } from "./support/service.ts";

let requests: Requests;
before(async () => {
  requests = await startRequests();
});
after(() => requests.service.close());

describe("a member", () => {
  const errorsOf = async (path: string, body: object) =>
    problemIn(await requests.client.call("POST", path, body), 400).errors!;

  test("that is missing, blank or of the wrong type is in the errors, together with all others", async () => {
    const errors = await errorsOf("/track/meals", {
      userId: 5,
      mealName: "  ",
      mealType: "brunch",
      ingredients: [{ name: "" }],
    });
    assert.deepEqual(Object.keys(errors).sort(), [
      "imageUrl",
      "ingredients[0].foodId",
      "ingredients[0].name",
      "loggedAt",
      "mealName",
      "mealType",
      "transactionId",
      "userId",
    ]);
    assert.deepEqual(Object.keys(await errorsOf("/track/food", {})).sort(), [
      "foodId",
      "imageUrl",
      "merchant",
      "name",
      "nutrition",
      "transactionId",
      "unit",
      "userId",
      "weight",
    ]);
    assert.deepEqual(Object.keys(await errorsOf("/users/enroll", { email: "nobody" })).sort(), [
      "email",
      "firstName",
      "lastName",
    ]);
  });

  test("that is too long, or has too many entries, is in the errors", async () => {
    const long = "x".repeat(100_000);
    const item = { foodId: "1", name: "Apple" };
    assert.deepEqual(
      Object.keys(await errorsOf("/track/meals", requests.meal({ mealName: long, transactionId: long }))).sort(),
      ["mealName", "transactionId"],
    );
    assert.deepEqual(
      Object.keys(
        await errorsOf("/track/meals", requests.meal({ ingredients: Array.from({ length: 101 }, () => item) })),
      ),
      ["ingredients"],
    );
    problemIn(
      await requests.client.call(
        "POST",
        "/track/meals",
        requests.meal({ ingredients: Array.from({ length: 10_000 }, () => item) }),
      ),
      400,
      413,
    );
    assert.deepEqual(
      Object.keys(await errorsOf("/track/meals", requests.meal({ imageUrl: `https://e.org/${"x".repeat(2_048)}` }))),
      ["imageUrl"],
    );
    assert.equal(
      (await requests.client.call("POST", "/track/meals", requests.meal({ mealName: "é".repeat(255) }))).statusCode,
      202,
    );
  });

  test("that is a number must be finite and plausible for food", async () => {
    const error = async (json: string) =>
      problemIn(
        await requests.send("/track/meals", JSON.stringify(requests.meal({ ingredients: ["#"] })).replace('"#"', json)),
        400,
      ).errors!;
    const item = (member: string) => `{"foodId":"1","name":"Apple","unit":"g","currency":"GBP",${member}}`;
    for (const number of ["1e400", "-1", "1e15", "1e-320", '"5"', "true"]) {
      assert.deepEqual(Object.keys(await error(item(`"weight":${number}`))), ["ingredients[0].weight"], number);
      assert.deepEqual(Object.keys(await error(item(`"quantity":${number}`))), ["ingredients[0].quantity"], number);
    }
    for (const number of ["1e400", "-0.01", "9223372036854775808"]) {
      assert.deepEqual(Object.keys(await error(item(`"amount":${number}`))), ["ingredients[0].amount"], number);
      const nutrition = item(`"nutrition":{"energyKcal":${number}}`);
      assert.deepEqual(Object.keys(await error(nutrition)), ["ingredients[0].nutrition.energyKcal"], number);
    }
    await error(item('"weight":1e6,"quantity":10000'));
  });

  test("that is null is treated as missing, since many serializers write null", async () => {
    const { transactionId, ...bare } = requests.meal();
    const nothing = { logId: null, country: null, location: null, metadata: null };
    const item = { foodId: "1", name: "Apple", imageUrl: null, weight: null, quantity: null, currency: null };
    const sent = { ...bare, transactionId, ...nothing, ingredients: [{ ...item, merchant: { name: null } }] };
    const { trackId } = (await requests.client.call("POST", "/track/meals", sent)).json<{ trackId: string }>();
    const status = await requests.client.call("GET", `/track/meals/${trackId}/status`);
    const { submission } = status.json<{ submission: Record<string, unknown> & { ingredients: object[] } }>();
    assert.partialDeepStrictEqual(submission, { country: "", location: "", metadata: null });
    assert.partialDeepStrictEqual(submission.ingredients[0], { weight: null, unit: null, quantity: 1, merchant: {} });

    const kept = { metadata: { left: null, list: [null] } };
    const withMetadata = await requests.client.call("POST", "/track/meals", requests.meal(kept));
    const url = `/track/meals/${withMetadata.json<{ trackId: string }>().trackId}/status`;
    assert.deepEqual((await requests.client.call("GET", url)).json().submission.metadata, kept.metadata);

    assert.deepEqual(await errorsOf("/track/meals", requests.meal({ mealName: null, ingredients: [null] })), {
      mealName: ["is required"],
      "ingredients[0]": ["must be of type object"],
    });
    assert.deepEqual(await errorsOf("/track/meals", { ...bare, transactionId: null, logId: null }), {
      transactionId: ["is required (or logId)"],
    });
  });

  test("of metadata that is too large for a number is refused, not changed", async () => {
    const body = JSON.stringify(requests.meal({ metadata: { big: "#" } })).replace('"#"', "1e400");
    assert.deepEqual(Object.keys(problemIn(await requests.send("/track/meals", body), 400).errors!), ["metadata"]);
  });

  test("that is unknown is ignored and has no effect", async () => {
    const extra = {
      lifetimePoints: 1e6,
      userID: "x",
      tenantId: "y",
      totalPoints: 9,
      availablePoints: 7,
      role: "admin",
    };
    const response = await requests.client.call("POST", "/users/enroll", {
      email: "extra@example.org",
      firstName: "A",
      lastName: "B",
      ...extra,
    });
    const { user } = response.json();
    assert.deepEqual([user.lifetimePoints, user.availablePoints, user.userID === "x"], [0, 0, false]);
    const accepted = await requests.client.call(
      "POST",
      "/track/meals",
      requests.meal({ ...extra, ingredients: [{ foodId: "1", name: "Apple", totalPoints: 99 }] }),
    );
    const status = (await requests.client.call("GET", `/track/meals/${accepted.json().trackId}/status`)).json();
    assert.doesNotMatch(JSON.stringify(status.submission), /lifetimePoints|tenantId|totalPoints/);
  });

  test("that is the reference may have either name, but not both with different values", async () => {
    const { transactionId, ...bare } = requests.meal();
    const status = async (over: object) =>
      (await requests.client.call("POST", "/track/meals", { ...bare, ...over })).statusCode;
    assert.deepEqual(
      [await status({ logId: "l" }), await status({ transactionId }), await status({ logId: "s", transactionId: "s" })],
      [202, 202, 202],
    );
    assert.deepEqual(Object.keys(await errorsOf("/track/meals", { ...bare, logId: "a", transactionId: "b" })).sort(), [
      "logId",
      "transactionId",
    ]);
    assert.deepEqual(Object.keys(await errorsOf("/track/meals", bare)), ["transactionId"]);
  });

  test("that is a currency is checked, and a meal has only one currency", async () => {
    const item = (currency: string) => ({ foodId: "1", name: "Apple", amount: 1, currency });
    const errors = await errorsOf(
      "/track/meals",
      requests.meal({ ingredients: [item("EUR"), item("GBP"), item("eur")] }),
    );
    assert.deepEqual(Object.keys(errors), ["ingredients[1].currency"]);
    assert.deepEqual(Object.keys(await errorsOf("/track/meals", requests.meal({ ingredients: [item("euro")] }))), [
      "ingredients[0].currency",
    ]);
  });

  test("that is a time must have a zone, exist, and be at most a day ahead", async () => {
    const day = 86_400_000;
    const wrong = [
      "2025-02-29T12:00:00Z",
      "2025-13-01T12:00:00Z",
      "2025-01-01T12:00:00",
      "yesterday",
      "2025-01-01",
      "",
    ];
    for (const loggedAt of [...wrong, new Date(Date.now() + day + 60_000).toISOString()]) {
      assert.deepEqual(
        Object.keys(await errorsOf("/track/meals", requests.meal({ loggedAt }))),
        ["loggedAt"],
        loggedAt,
      );
    }
    assert.equal(
      (
        await requests.client.call(
          "POST",
          "/track/meals",
          requests.meal({ loggedAt: new Date(Date.now() + day - 60_000).toISOString() }),
        )
      ).statusCode,
      202,
    );
    const leap = await requests.client.call(
      "POST",
      "/track/meals",
      requests.meal({ transactionId: "leap", loggedAt: "2024-02-29T23:59:59+05:30" }),
    );
    assert.equal(leap.statusCode, 202);
    const events = await requests.client.until((all) => all.some((event) => event["transactionId"] === "leap"));
    assert.equal(events.find((event) => event["transactionId"] === "leap")!["loggedAt"], "2024-02-29T18:29:59.000Z");
  });

  test("with an unknown user is an error of userId, and nothing is stored", () =>
    requests.storingNothing(async () => {
      for (const id of ["nobody", "__proto__", "' OR '1'='1", "01890000-0000-7000-8000-000000000000"]) {
        assert.deepEqual(Object.keys(await errorsOf("/track/meals", requests.meal({ userId: id }))), ["userId"]);
        assert.deepEqual(Object.keys(await errorsOf("/track/receipts/session", { userId: id })), ["userId"]);
      }
    }));

  test("is stored byte for byte, even if it is SQL", async () => {
    const texts = [
      "🍏 emoji 👩‍🍳",
      "\u202Egnp.exe",
      "e\u0301 and é",
      "漢字",
      "'; DROP TABLE users; --",
      'a\\b"c\u2028',
      "${7*7}{{7*7}}",
    ];
    for (const [i, text] of texts.entries()) {
      const ingredients = [
        { foodId: text, name: text, merchant: { name: text } },
        { foodId: "1", name: "Apple" },
      ];
      const over = {
        transactionId: `text-${i}${text}`,
        mealName: text,
        location: text,
        country: text,
        metadata: { [text]: text },
      };
      const response = await requests.client.call("POST", "/track/meals", requests.meal({ ...over, ingredients }));
      const { submission } = (
        await requests.client.call("GET", `/track/meals/${response.json().trackId}/status`)
      ).json();
      assert.deepEqual(
        [submission.reference, submission.name, submission.location, submission.country, submission.metadata],
        [over.transactionId, text, text, text, { [text]: text }],
      );
      assert.deepEqual([submission.ingredients[0].foodId, submission.ingredients[0].name], [text, text]);
    }
    const isDone = (i: number) => (all: Record<string, unknown>[]) =>
      all.some((event) => event["transactionId"] === `text-${i}${texts[i]}` && nameOf(event) === "intake.scored");
    const last = texts.length - 1;
    const scored = (await requests.client.until(isDone(last))).find(
      (event) => nameOf(event) === "intake.scored" && event["name"] === texts[last],
    );
    assert.ok(scored);
  });
});

describe("absurd but valid amounts", () => {
  test("earn at most the maximum of a record, and all numbers of the response are numbers", async () => {
    const item = {
      foodId: "1",
      name: "Lentils",
      weight: 10,
      unit: "kg",
      quantity: 1_000,
      amount: 1e9,
      currency: "EUR",
    };
    const small = { foodId: "2", name: "Apple", weight: 1e-6, unit: "g", quantity: 1e-3, amount: 1e9, currency: "EUR" };
    await requests.client.call(
      "POST",
      "/track/meals",
      requests.meal({ transactionId: "absurd", ingredients: [...Array.from({ length: 99 }, () => item), small] }),
    );
    const isEnd = (event: Record<string, unknown>) =>
      event["transactionId"] === "absurd" && /completed|failed/.test(nameOf(event));
    const end = (await requests.client.until((all) => all.some(isEnd))).find(isEnd)!;
    assert.equal(nameOf(end), "intake.completed");
    assert.ok(Number(end["totalPoints"]) <= 100, `${String(end["totalPoints"])} points`);
    const list = (await requests.client.call("GET", `/users/${requests.userId}/transactions?First=true`)).body;
    assert.doesNotMatch(list, /"(qty|pricePerUnit|totalCO2e|totalAmount)":null/);
  });
});
