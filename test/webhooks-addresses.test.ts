// Section F of docs/threats.md, the rows on addresses: what is refused when an endpoint is registered, and what again
// when a connection is opened, with a resolver of the test's own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createHttpSender } from "../src/outgoing/http-sender.ts";
import type { Resolve } from "../src/outgoing/http-sender.ts";
import { createResolve } from "../src/outgoing/resolve.ts";
import { checkWebhookUrl, isAllowedAddress, parseCidrs } from "../src/webhooks/address.ts";
import { startNameServer } from "./support/name-server.ts";
import { startService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import { openWorld, story } from "./support/webhooks-under-test.ts";

const noNets = (() => {
  const list = parseCidrs("");
  return list.kind === "ok" ? list.nets : assert.fail();
})();

const SPELLINGS: Record<string, string[]> = {
  "loopback, private, link-local, CGNAT and this network": [
    "https://127.0.0.1/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.64.0.1/",
    "https://0.0.0.0/",
    "https://168.63.129.16/",
    "https://255.255.255.255/",
    "https://224.0.0.1/",
  ],
  "decimal, octal, hex, short and full-width": [
    "https://2130706433/",
    "https://0177.0.0.1/",
    "https://017700000001/",
    "https://0x7f.0.0.1/",
    "https://0x7f000001/",
    "https://127.1/",
    "https://127.0.1/",
    "https://１２７.0.0.1/",
    "https://127。0。0。1/",
    "https://127.0.0.1./",
  ],
  "IPv6: loopback, unspecified, unique local, link-local, mapped, compatible, NAT64, 6to4, Teredo, documentation": [
    "https://[::1]/",
    "https://[::]/",
    "https://[fc00::1]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::127.0.0.1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[64:ff9b:1::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001:0:53aa:64c:0:0:0:1]/",
    "https://[2001:db8::1]/",
    "https://[ff02::1]/",
  ],
  "names of the inside, also in other letters": [
    "https://localhost/",
    "https://LOCALHOST./",
    "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
    "https://metadata.google.internal/",
    "https://printer.local/",
    "https://a.localhost/",
    "https://intranet/",
  ],
  "user names and passwords": ["https://user@hooks.example.com/", "https://user:pass@hooks.example.com/"],
  "other schemes, and http": [
    "http://hooks.example.com/",
    "file:///etc/passwd",
    "ftp://hooks.example.com/",
    "gopher://hooks.example.com/",
    "javascript:alert(1)",
    "//hooks.example.com/",
  ],
  "ports of other protocols, and none that exist": [
    "https://hooks.example.com:22/",
    "https://hooks.example.com:25/",
    "https://hooks.example.com:0/",
    "https://hooks.example.com:65536/",
  ],
  "line breaks, spaces and backslashes": [
    "https://hooks.example.com/\r\nx: y",
    " https://hooks.example.com/",
    "https://hooks.example.com\\@127.0.0.1/",
  ],
};

test("registering or changing an endpoint refuses every internal address, and names the member", async (t) => {
  const service = await startService({ env: { WEBHOOK_ALLOW_NETS: "" }, isWorking: false });
  t.after(() => service.close());
  const client = await service.newClient();
  const made = await client.call("POST", "/webhooks/endpoints", { url: "https://93.184.216.34/hook" });
  const { id } = made.json<{ id: string }>();
  for (const [kind, urls] of Object.entries(SPELLINGS)) {
    for (const url of urls) {
      const responses = [
        await client.call("POST", "/webhooks/endpoints", { url }),
        await client.call("PATCH", `/webhooks/endpoints/${id}`, { url }),
      ];
      for (const response of responses) {
        assert.equal(response.statusCode, 400, `${kind}: ${url}`);
        assert.deepEqual(Object.keys(response.json<{ errors: object }>().errors), ["url"], url);
      }
    }
  }
  const listed = await client.call("GET", "/webhooks/endpoints");
  assert.equal(listed.json<{ endpoints: { url: string }[] }>().endpoints[1]?.url, "https://93.184.216.34/hook");
});

test("an international name is registered in its punycode form", () => {
  assert.deepEqual(checkWebhookUrl("https://bücher.example/hook", noNets), {
    kind: "ok",
    url: "https://xn--bcher-kva.example/hook",
  });
});

/** A sender that may reach public addresses only, with a resolver that returns `addressesOf` a lookup. */
function openSender(t: TestContext, addressesOf: (lookup: number) => string[], allowNets = noNets) {
  let lookups = 0;
  const resolve: Resolve = (_hostname, _options, callback) => {
    lookups += 1;
    const addresses = addressesOf(lookups);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  };
  const sender = createHttpSender({
    isAllowedAddress: (address, target) => isAllowedAddress(address, target, allowNets),
    now: () => new Date(),
    resolve,
  });
  t.after(() => sender.close());
  return sender;
}

const INSIDE = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "fd00::1"];

test("a name that resolves to an internal address is refused at registration; a name that does not resolve yet is not", async (t) => {
  for (const address of INSIDE) {
    assert.equal(await openSender(t, () => [address]).isRefused("https://hooks.example.com/"), true, address);
  }
  assert.equal(await openSender(t, () => ["10.0.0.1", "93.184.216.34"]).isRefused("https://a.example/"), false);
  const failing = createHttpSender({
    isAllowedAddress: () => false,
    now: () => new Date(),
    resolve: (_, __, callback) => callback(Object.assign(new Error("none"), { code: "ENOTFOUND" }), []),
  });
  t.after(() => failing.close());
  assert.equal(await failing.isRefused("https://not-yet.example/"), false);
});

test("an allowed network opens the low ports of its own addresses, and of no others", async (t) => {
  const list = parseCidrs("10.0.0.0/8");
  assert.ok(list.kind === "ok");
  const isRefused = (address: string, url: string) => openSender(t, () => [address], list.nets).isRefused(url);
  assert.equal(await isRefused("10.0.0.1", "https://hooks.example.com:444/"), false);
  assert.equal(await isRefused("93.184.216.34", "https://hooks.example.com:444/"), true);
  assert.equal(await isRefused("93.184.216.34", "https://hooks.example.com:8443/"), false);
  const signal = new AbortController().signal;
  const post = { url: "https://hooks.example.com:22/", headers: {}, body: "{}", timeoutMs: 5_000, signal };
  assert.equal((await openSender(t, () => ["93.184.216.34"], list.nets).post(post)).kind, "refused_address");
});

test("a name that changed to an internal address after its registration is refused on connecting", async (t) => {
  for (const address of INSIDE) {
    const sender = openSender(t, (lookup) => [lookup === 1 ? "93.184.216.34" : address]);
    assert.equal(await sender.isRefused("https://hooks.example.com/"), false);
    const signal = new AbortController().signal;
    const post = { url: "https://hooks.example.com/", headers: {}, body: "{}", timeoutMs: 5_000, signal };
    assert.equal((await sender.post(post)).kind, "refused_address", address);
  }
});

test("an address that was registered while its network was allowed is refused on connecting once it is not", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received"]));
  const sender = createHttpSender({
    isAllowedAddress: (address, target) => isAllowedAddress(address, target, noNets),
    now: () => new Date(),
  });
  t.after(() => sender.close());
  assert.equal(await world.openDelivery({ sender }).deliverDue(), 1);
  assert.equal(receiver.received.length, 0);
  const [row = assert.fail()] = await world.deliveries();
  assert.match(row.lastError, /^refused_address: /);
});

/** A sender that asks a name server of the test's, and may connect to 127.0.0.1. */
async function openResolvingSender(t: TestContext, addressesOf: Parameters<typeof startNameServer>[0]) {
  const nameServer = await startNameServer(addressesOf);
  t.after(() => nameServer.close());
  const sender = createHttpSender({
    isAllowedAddress: (address) => address === "127.0.0.1",
    now: () => new Date(),
    resolve: createResolve({ servers: [nameServer.address], queryTimeoutMs: 60_000 }),
  });
  t.after(() => sender.close());
  const signal = new AbortController().signal;
  const post = (url: string) => sender.post({ url, headers: {}, body: "{}", timeoutMs: 60_000, signal });
  return { nameServer, sender, post };
}

test("over a real name server: the address that was checked is the one connected to, with a single lookup", async (t) => {
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(200, { connection: "close" }).end());
  t.after(() => receiver.close());
  const { port } = new URL(receiver.url);
  let address = "127.0.0.1";
  const { nameServer, post } = await openResolvingSender(t, (name) =>
    name === "hooks.example.com" ? [address] : name === "mixed.example.com" ? ["10.0.0.1", "127.0.0.1"] : null,
  );
  const url = `http://hooks.example.com:${port}/`;
  assert.equal((await post(url)).kind, "responded");
  assert.deepEqual(nameServer.asked, ["hooks.example.com", "hooks.example.com"], "A and AAAA, once each");
  address = "127.0.0.2";
  assert.equal((await post(url)).kind, "refused_address", "rebound to another address");
  assert.equal((await post(`http://mixed.example.com:${port}/`)).kind, "responded", "only by its allowed address");
  const unknown = await post(`http://nobody.example.com:${port}/`);
  assert.ok(unknown.kind === "network" && unknown.message.includes("ENOTFOUND"));
  assert.equal(receiver.received.length, 2);
});

test("names whose servers never respond delay no other name and no file", async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const { sender, post } = await openResolvingSender(t, (name) => (name.startsWith("never") ? "never" : ["127.0.0.1"]));
  const hanging = Array.from({ length: 8 }, (_, i) => post(`https://never-${i}.example.com/`));
  assert.equal((await post(`http://well.example.com:${new URL(receiver.url).port}/`)).kind, "responded");
  await readFile(import.meta.filename);
  // Both were done while the eight still wait; closing ends those.
  await sender.close();
  for (const { kind } of await Promise.all(hanging)) assert.equal(kind, "network");
});
