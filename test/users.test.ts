import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ isWorking: false });
  client = await service.newClient();
});
after(() => service.close());

const ADA = { email: "ada@example.org", firstName: "Ada", lastName: "Lovelace" };
const enrol = (over: object = {}) => client.call("POST", "/users/enroll", { ...ADA, ...over });

test("a new user has every documented member, and zero in every count", async () => {
  const response = await enrol({
    imageUrl: "https://example.org/a.png",
    country: "GB",
    city: "London",
    postalCode: "W1",
  });
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers["content-type"]), /^application\/json/);
  const body = response.json();
  assert.deepEqual(Object.keys(body), ["user"]);
  const { userID, createdAt, updatedAt, ...rest } = body.user;
  assert.deepEqual(rest, {
    email: "ada@example.org",
    lifetimePoints: 0,
    availablePoints: 0,
    numOfTransactions: 0,
    totalCarbonScore: 0,
    totalGreenProducts: 0,
  });
  assert.match(userID, /^\S+$/);
  for (const time of [createdAt, updatedAt]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("the summary is the user that was enrolled", async () => {
  const { user } = (await enrol()).json();
  const summary = await client.call("GET", `/users/${user.userID}/summary`);
  assert.deepEqual([summary.statusCode, summary.json()], [200, { user }]);
});

test("an e-mail address enrols once in any spelling, and the first data stays", async () => {
  const { user } = (await enrol({ email: "Grace.Hopper@Example.org" })).json();
  service.clock.ms += 60_000;
  for (const email of ["grace.hopper@example.org", "  GRACE.HOPPER@EXAMPLE.ORG "]) {
    const again = await enrol({ email, firstName: "Other" });
    assert.deepEqual([again.statusCode, again.json()], [200, { user }]);
  }
  assert.equal(user.email, "grace.hopper@example.org");
});

test("twenty enrolments of one address at once are one user", async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => enrol({ email: "once@example.org" })));
  assert.deepEqual(new Set(responses.map((response) => response.statusCode)), new Set([200]));
  assert.equal(new Set(responses.map((response) => response.json().user.userID)).size, 1);
});

test("an invalid e-mail address is an error, a valid one is accepted", async () => {
  const wrong = [
    "",
    "nobody",
    "@example.org",
    "a@",
    "a b@example.org",
    "a@b@c",
    "a@example..org",
    "a@.org",
    "<a@b.org>",
  ];
  for (const email of [...wrong, "a\u0007@example.org", "a\r\nBcc: x@example.org", `${"a".repeat(250)}@example.org`]) {
    const response = await enrol({ email });
    assert.equal(response.statusCode, 400, email);
    assert.deepEqual(Object.keys(response.json().errors), ["email"]);
  }
  for (const email of ["a+b@example.org", "o'neil@example.co.uk", "用户@例子.广告", "x@localhost"]) {
    assert.equal((await enrol({ email })).statusCode, 200, email);
  }
});

test("members have the types and lengths of the specification", async () => {
  for (const member of ["firstName", "lastName"]) {
    for (const value of ["", " \t", null, 5, "x".repeat(256)]) {
      const response = await enrol({ [member]: value });
      assert.deepEqual([response.statusCode, Object.keys(response.json().errors)], [400, [member]]);
    }
  }
  for (const member of ["country", "city", "postalCode"]) {
    assert.equal((await enrol({ [member]: "x".repeat(256) })).statusCode, 400);
    assert.equal((await enrol({ [member]: ["x"] })).statusCode, 400);
  }
  assert.equal((await enrol({ imageUrl: `https://e.org/${"x".repeat(2_035)}` })).statusCode, 400);
});
