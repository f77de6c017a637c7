import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
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
  assert.deepEqual(
    [summary.statusCode, summary.json()],
    [200, { user: { ...user, pointsExpiring: null, tier: null } }],
  );
});

test("an e-mail address enrols once in any spelling, and the first data stays", async () => {
  const { user } = (await enrol({ email: "Grace.Hopper@Example.org" })).json();
  service.clock.ms += 60_000;
  for (const email of ["grace.hopper@example.org", "  GRACE.HOPPER@EXAMPLE.ORG "]) {
    const again = await enrol({ email, firstName: "Other" });
    assert.deepEqual([again.statusCode, again.json()], [200, { user, keptMembers: ["firstName"] }]);
  }
  assert.equal(user.email, "grace.hopper@example.org");
});

test("an enrolment with other data than the stored ones says which were kept", async () => {
  const stored = { email: "kept@example.org", firstName: "Ada", lastName: "Lovelace", city: "London" };
  const { user } = (await enrol(stored)).json();
  const again = await enrol({ ...stored, lastName: "King", city: "Ockham", country: "GB" });
  assert.deepEqual([again.statusCode, again.json()], [200, { user, keptMembers: ["lastName", "country", "city"] }]);
  // The same data, or less, keeps nothing.
  for (const same of [stored, { email: " KEPT@example.org" }]) {
    assert.deepEqual((await enrol({ ...same, lastName: "Lovelace" })).json(), { user });
  }
  const exported = await service.database.snapshot((tx) => exportUserData(tx, user.userID, STORED_FORMS));
  const { last_name, city, country } = exported["profile"]![0] as Record<string, unknown>;
  assert.deepEqual([last_name, city, country], ["Lovelace", "London", null]);
});

const change = (id: string, body: object) => client.call("PATCH", `/users/${id}`, body);
const profileOf = async (id: string) => {
  const [profile] = (await service.database.snapshot((tx) => exportUserData(tx, id, STORED_FORMS)))["profile"]!;
  const members = Object.entries(profile as Record<string, unknown>);
  return Object.fromEntries(members.filter(([name]) => !/^(id|created_at|updated_at)$/.test(name)));
};

test("a change sets the members that are sent, clears those that are null, and keeps the others", async () => {
  const { user } = (await enrol({ email: "changed@example.org", city: "London", country: "GB" })).json();
  service.clock.ms += 60_000;
  const changed = await change(user.userID, { lastName: "King", city: null, postalCode: "GU23", points: 5 });
  assert.equal(changed.statusCode, 200);
  const { changedMembers, user: after } = changed.json();
  assert.deepEqual(changedMembers, ["lastName", "city", "postalCode"]);
  assert.ok(after.updatedAt > user.updatedAt);
  assert.deepEqual({ ...after, updatedAt: user.updatedAt }, user);
  assert.deepEqual(await profileOf(user.userID), {
    email: "changed@example.org",
    first_name: "Ada",
    last_name: "King",
    image_url: null,
    country: "GB",
    city: null,
    postal_code: "GU23",
  });
  service.clock.ms += 60_000;
  for (const same of [{}, { lastName: "King", city: null, email: " Changed@example.org" }]) {
    assert.deepEqual((await change(user.userID, same)).json(), { user: after, changedMembers: [] });
  }
});

test("a change of the address keeps it unique in the application, and frees the old one", async () => {
  const { user } = (await enrol({ email: "old@example.org" })).json();
  const { user: other } = (await enrol({ email: "other@example.org" })).json();
  const taken = await change(user.userID, { email: "OTHER@example.org", firstName: "Grace" });
  assert.deepEqual([taken.statusCode, taken.json().code], [409, "EmailTaken"]);
  assert.equal((await profileOf(user.userID))["first_name"], "Ada", "nothing of it was changed");
  const renamed = await change(user.userID, { email: " New@Example.org " });
  assert.deepEqual([renamed.statusCode, renamed.json().user.email], [200, "new@example.org"]);
  assert.equal((await enrol({ email: "new@example.org" })).json().user.userID, user.userID);
  const anew = (await enrol({ email: "old@example.org" })).json().user.userID;
  assert.ok(anew !== user.userID && anew !== other.userID);
  const elsewhere = await service.newClient();
  const foreign = await elsewhere.enrol("elsewhere@example.org");
  assert.equal((await change(foreign, { firstName: "X" })).statusCode, 404);
  assert.equal((await elsewhere.call("PATCH", `/users/${foreign}`, { email: "other@example.org" })).statusCode, 200);
});

test("of twenty users who want one address at once, one gets it; of two who swap theirs, at most one", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => client.enrol()));
  const statuses = await Promise.all(
    ids.map(async (id) => (await change(id, { email: "wanted@example.org" })).statusCode),
  );
  assert.deepEqual(
    statuses.toSorted((x, y) => x - y),
    [200, ...Array.from({ length: 19 }, () => 409)],
  );
  const [a, b] = await Promise.all([client.enrol("a@example.org"), client.enrol("b@example.org")]);
  const swapped = await Promise.all([change(a, { email: "b@example.org" }), change(b, { email: "a@example.org" })]);
  assert.ok(swapped.some(({ statusCode }) => statusCode === 409));
  const emails = (await Promise.all([profileOf(a), profileOf(b)])).map(({ email }) => email);
  assert.equal(new Set(emails).size, 2);
  const unlisted = await service.database.query({
    name: "test.unlisted",
    text: `SELECT users.id FROM users FULL JOIN user_emails AS listed
             ON listed.user_id = users.id AND listed.email = users.email AND listed.application_id = users.application_id
           WHERE users.id IS NULL OR listed.user_id IS NULL`,
  });
  assert.deepEqual(unlisted, []);
});

test("a change has the types and lengths of an enrolment; an erased or unknown user is not found", async () => {
  const id = await client.enrol();
  for (const [member, value] of [
    ["email", "nobody"],
    ["email", null],
    ["firstName", ""],
    ["lastName", null],
    ["city", 5],
    ["imageUrl", "x".repeat(2_049)],
  ] as const) {
    const response = await change(id, { [member]: value });
    assert.deepEqual([response.statusCode, Object.keys(response.json().errors)], [400, [member]]);
  }
  await service.erase(id);
  for (const unknown of [id, "nobody", "00000000-0000-7000-8000-000000000000"]) {
    assert.equal((await change(unknown, { firstName: "X" })).statusCode, 404);
  }
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
