import assert from "node:assert/strict";
import { test } from "node:test";
import { installationKey } from "../src/installation.store.ts";
import { Refusal } from "../src/cli/command.ts";
import { verify } from "../src/webhooks/sign.ts";
import { runCommand } from "./support/commands.ts";
import { openWorld, types } from "./support/webhooks-under-test.ts";

test("the operator's commands do the same as the API: add, test, read, retry, rotate, replay, disable, enable, remove", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const run = async <Printed extends object>(...args: string[]): Promise<Printed> => {
    const env = { WEBHOOK_ALLOW_NETS: "127.0.0.0/8" };
    const [printed] = await runCommand<Printed>(world.database, args, { env });
    // The commands go by the machine's clock.
    world.clock.ms = Date.now() + 5_000;
    return printed!;
  };
  const { clientId } = await run<{ clientId: string }>("app", "create", "--name", "Hooks");
  const client = ["--client-id", clientId];
  const url = `${receiver.url}/hook`;
  const added = await run<{ id: string; secret: string }>("webhook", "add", ...client, "--url", url, "--disabled");
  const endpoint = ["--endpoint-id", added.id];
  const listed = async () => (await run<{ endpoints: object[] }>("webhook", "list", ...client)).endpoints;
  const log = async () =>
    (await run<{ deliveries: { id: string; state: string; attempts: object[] }[] }>("webhook", "attempts", ...client))
      .deliveries;
  const key = await installationKey(world.database);
  const deliver = () => world.openDelivery({ installationKey: key }).deliverDue();

  await run("webhook", "test", ...endpoint);
  assert.equal(await deliver(), 0);
  await run("webhook", "enable", ...endpoint);
  assert.equal(await deliver(), 1);
  assert.deepEqual(types(receiver), ["webhook.test"]);
  const seconds = () => world.clock.ms / 1_000;
  assert.equal(
    verify(receiver.received[0]!.headers, receiver.received[0]!.body, added.secret, seconds()).kind,
    "verified",
  );

  const [delivered = assert.fail()] = await log();
  assert.deepEqual([delivered.state, delivered.attempts.length], ["delivered", 1]);
  await run("webhook", "retry", ...client, "--delivery-id", delivered.id);
  const { secret } = await run<{ secret: string }>("webhook", "rotate", ...endpoint);
  assert.equal(await deliver(), 1);
  for (const each of [secret, added.secret]) {
    assert.equal(verify(receiver.received[1]!.headers, receiver.received[1]!.body, each, seconds()).kind, "verified");
  }
  assert.equal((await log())[0]?.attempts.length, 2);

  const replayed = async (...how: string[]) =>
    (await run<{ replayed: number }>("webhook", "replay", ...endpoint, ...how)).replayed;
  assert.equal(await replayed("--failed"), 0);
  assert.equal(await replayed("--since", "2020-01-01T00:00:00Z"), 0, "test events are not replayed");
  for (const how of [[], ["--since", "yesterday"]]) await assert.rejects(replayed(...how), Refusal);

  await run("webhook", "disable", ...endpoint);
  assert.match(JSON.stringify(await listed()), /"disabledReason":"requested"/);
  await run("webhook", "remove", ...endpoint);
  assert.deepEqual(await listed(), []);
  for (const command of ["enable", "disable", "rotate", "test", "remove"]) {
    await assert.rejects(run("webhook", command, ...endpoint), Refusal, command);
  }
  await assert.rejects(run("webhook", "retry", ...client, "--delivery-id", delivered.id), Refusal);
  await assert.rejects(
    run("webhook", "add", ...client, "--url", url, "--events", "intake.eaten"),
    /the events are intake/,
  );
});
