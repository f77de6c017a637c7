import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { csvLine } from "../src/csv/csv.ts";
import { enrollmentOf } from "../src/users/import/row.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { importFolder, runImport } from "./support/table-import.ts";

let service: TestService;
let client: Client;
const folder = importFolder();
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(async () => {
  await service.close();
  folder.remove();
});

const importUsers = (file: string, more: readonly string[] = [], owner: Client = client, stopped?: AbortSignal) =>
  runImport(service.database, "user import", [`--client-id=${owner.clientId}`, `--file=${file}`, ...more], stopped);
const count = async (table: string, owner: Client): Promise<number> => {
  const sql = `SELECT count(*)::int AS n FROM ${table} WHERE application_id = $1`;
  return (await service.database.pool.query(sql, [owner.applicationId])).rows[0].n;
};
const PERSON = { firstName: "Robin", lastName: "Doe" };

test("people of a file are enrolled as by the API, and those who are enrolled stay as they are", async () => {
  await client.call("POST", "/users/enroll", { ...PERSON, email: "old@example.org", city: "Bonn" });
  await client.call("POST", "/users/enroll", { ...PERSON, email: "same@example.org" });
  const file = folder.write(
    "users.csv",
    "\uFEFFE-Mail;First Name;last_name;City;Postal Code\r\n" +
      'New@Example.org ;Ada;"von ""A""; B";Köln;50667\r\n' +
      "old@example.org;Robin;Doe;Berlin;\r\n" +
      "SAME@example.org;Robin;Doe;;\r\n" +
      "new@example.org;Ada;Other;;\r\n",
  );
  const dry = await importUsers(file, ["--dry-run"]);
  assert.equal(await count("users", client), 2);
  assert.equal(dry.report?.length, 2);
  const { printed, refusal, report } = await importUsers(file);
  assert.equal(refusal, null);
  for (const { rows, enrolled, already, kept, refused } of [dry.printed, printed]) {
    assert.deepEqual([rows, enrolled, already, kept, refused], [4, 1, 1, 2, 0]);
  }
  assert.deepEqual(report, [
    { line: "3", outcome: "kept", reason: "enrolled before with other data, which stays: city" },
    { line: "5", outcome: "kept", reason: "enrolled before with other data, which stays: lastName" },
  ]);
  // The API finds the same person, with the same data: nothing differs.
  const person = {
    email: "new@example.org",
    firstName: "Ada",
    lastName: 'von "A"; B',
    city: "Köln",
    postalCode: "50667",
  };
  const response = await client.call("POST", "/users/enroll", person);
  assert.equal(response.json().keptMembers, undefined);
  const { availablePoints, lifetimePoints, numOfTransactions } = response.json().user;
  assert.deepEqual([availablePoints, lifetimePoints, numOfTransactions], [0, 0, 0]);
  assert.deepEqual([await count("users", client), await count("user_emails", client)], [3, 3]);
});

test("people who are new get the welcome of the programme, once, and events only if asked for", async () => {
  const owner = await service.newClient();
  await owner.call("POST", "/users/enroll", { ...PERSON, email: "old@example.org" });
  const definition = { name: "Own", bonuses: { welcome: { points: 50, on: "enrolment" } } };
  const { version } = (await owner.call("POST", "/programs", { definition })).json().program;
  await owner.call("POST", `/programs/${version}/publish`, {});
  // In force for as long as the command knows: its start is in the past.
  const started = `UPDATE programs SET starts_at = now() - interval '1 hour' WHERE application_id = $1`;
  await service.database.pool.query(started, [owner.applicationId]);
  const rows = (names: readonly string[]) => names.map((name) => `${name}@example.org,Robin,Doe`);
  const importAll = (names: readonly string[], more: readonly string[] = []) =>
    importUsers(folder.write("new.csv", ["email,firstName,lastName", ...rows(names)].join("\n")), more, owner);
  assert.equal((await importAll(["old", "a", "b", "a"], ["--dry-run"])).printed["enrolled"], 2);
  await importAll(["old", "a", "b", "a"]);
  await importAll(["old", "a", "b", "c"], ["--send-events"]);
  const sql = `SELECT email, available_points::int AS points, records::int FROM users JOIN balances ON user_id = users.id
               WHERE application_id = $1 ORDER BY email`;
  const found = (await service.database.pool.query(sql, [owner.applicationId])).rows;
  assert.deepEqual(
    found.map(({ email, points, records }) => [email[0], points, records]),
    [
      ["a", 50, 1],
      ["b", 50, 1],
      ["c", 50, 1],
      ["o", 0, 0],
    ],
  );
  await owner.until((events) => events.length > 0);
  assert.deepEqual(
    owner.events().map((event) => [event["event"], event["totalPoints"]]),
    [["bonus.awarded", 50]],
  );
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a dry run counts an address once, however far apart its rows are", async () => {
  const people = Array.from({ length: 2_100 }, (_, i) => `dry-${i % 1_050}@example.org,Robin,Doe`);
  const file = folder.write("twice.csv", ["email,firstName,lastName", ...people].join("\n"));
  const { enrolled, already } = (await importUsers(file, ["--dry-run"])).printed;
  assert.deepEqual([enrolled, already], [1_050, 1_050]);
});

test("a row is refused where the API refuses the person, by the same members, and the others are enrolled", async () => {
  const owner = await service.newClient();
  const people: Record<string, string>[] = [
    { ...PERSON, email: "fine@example.org" },
    { ...PERSON, email: "no address" },
    { ...PERSON, email: `${"x".repeat(65)}@example.org` },
    { ...PERSON, email: "" },
    { email: "blank@example.org", firstName: "  ", lastName: "Doe" },
    { email: "long@example.org", firstName: "x".repeat(256), lastName: "y".repeat(255) },
    { email: "emoji@example.org", firstName: "😀".repeat(255), lastName: "😀".repeat(256) },
    { ...PERSON, email: "picture@example.org", imageUrl: `https://example.org/${"x".repeat(2_048)}` },
    { ...PERSON, email: "formula@example.org", city: '=HYPERLINK("https://example.org")' },
    { ...PERSON, email: " Spaces@Example.org ", postalCode: " 1 " },
    { ...PERSON, email: "nul@example.org", country: "a\0b" },
  ];
  const columns = ["email", "firstName", "lastName", "imageUrl", "country", "city", "postalCode"];
  const line = (person: Record<string, string>) => csvLine(columns.map((name) => person[name] ?? ""));
  const file = folder.write("refused.csv", [columns.join(","), ...people.map(line)].join("\n"));
  const { printed, refusal, report } = await importUsers(file, [], owner);
  const byLine = new Map(report.map((row) => [Number(row["line"]), row["reason"]!]));
  const other = await service.newClient();
  for (const [i, person] of people.entries()) {
    const sent = Object.fromEntries(
      Object.entries(person).filter(([, value]) => value !== "" || value === person["email"]),
    );
    const response = await other.call("POST", "/users/enroll", sent);
    const ofApi = response.statusCode === 200 ? [] : Object.keys(response.json().errors);
    const reason = byLine.get(i + 2) ?? "";
    const ofFile = reason === "" ? [] : reason.split("; ").map((part) => part.split(" ")[0]!);
    assert.deepEqual(ofFile.toSorted(), ofApi.toSorted(), JSON.stringify(person));
  }
  assert.equal(refusal, `${byLine.size} of ${people.length} rows were refused`);
  assert.deepEqual([printed["enrolled"], await count("users", owner)], [people.length - byLine.size, 3]);
  // The cell is data, as it was sent.
  const formula = await owner.call("POST", "/users/enroll", { ...people[8], email: "formula@example.org" });
  assert.equal(formula.json().keptMembers, undefined);
});

test("files that do not fit are refused before anybody is enrolled, with what is wrong", async () => {
  const owner = await service.newClient();
  const refused = async (content: string | Buffer) =>
    (await importUsers(folder.write("odd", content), [], owner)).refusal;
  assert.equal(
    await refused("emial,firstName,lastName,tier\nx@example.org,A,B,1\n"),
    'the header does not fit: there is no column "emial"; did you mean email?; there is no column "tier"; the column email is missing',
  );
  assert.equal(await refused(""), "the file is empty");
  assert.match((await refused("\0\u0001".repeat(50_000)))!, /^the header does not fit|too long/);
  assert.match(
    (await refused(`email,firstName,lastName\n"open,A,B\n${"x@example.org,A,B\n".repeat(9_000)}`))!,
    /too long/,
  );
  assert.match((await refused(gzipSync("email,firstName,lastName\n".repeat(9_000)).subarray(0, 90)))!, /cut off/);
  assert.equal((await importUsers("/", [], owner)).refusal, "the file cannot be opened: it is no file");
  assert.equal((await importUsers(folder.path("none"), [], owner)).refusal, "the file cannot be opened");
  assert.equal(await count("users", owner), 0);
  const latin = Buffer.from("email,firstName,lastName\nx@example.org,J\xFCrgen,B\ny@example.org,A,B,C\n", "latin1");
  const { report } = await importUsers(folder.write("latin", latin), [], owner);
  assert.deepEqual(
    report.map(({ reason }) => reason),
    ["firstName is not in UTF-8", "it has another number of cells than the header"],
  );
});

test("two imports of one file at once, one of them interrupted and run again, enrol everybody once", async () => {
  const owner = await service.newClient();
  const people = Array.from({ length: 4_000 }, (_, i) => `p${i}@example.org,Robin,Doe`);
  const header = "email,firstName,lastName,tier";
  const file = folder.write("one", gzipSync([header, ...people.map((row) => `${row},1`)].join("\n")));
  const reversed = folder.write("two", [header, ...people.toReversed().map((row) => `${row},1`)].join("\n"));
  const stop = new AbortController();
  const ignore = ["--ignore=Tier"];
  const first = importUsers(file, ignore, owner, stop.signal);
  const second = importUsers(reversed, ignore, owner);
  while ((await count("users", owner)) === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  stop.abort();
  const [interrupted, whole] = await Promise.all([first, second]);
  assert.equal(whole.refusal, null);
  assert.match(interrupted.refusal ?? "stopped", /^stopped/);
  const again = await importUsers(file, ignore, owner);
  assert.deepEqual([again.printed["already"], again.printed["refused"]], [4_000, 0]);
  assert.deepEqual([await count("users", owner), await count("user_emails", owner)], [4_000, 4_000]);
  assert.ok(!existsSync(`${file}.report.csv`));
});

test("a row keeps what is no error: reading never throws", () => {
  assert.equal(typeof enrollmentOf({}), "string");
  assert.deepEqual(enrollmentOf({ email: "A@b.c ", firstName: "A", lastName: "B", city: "" }), {
    email: "a@b.c",
    firstName: "A",
    lastName: "B",
  });
});
