import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { checkWebhookUrl, isAllowedAddress, parseCidrs, resolvedRefusal } from "./address.ts";
import type { AllowNets } from "./address.ts";

const NONE = nets("");
const HTTPS = { protocol: "https:", port: 443 } as const;
const HTTP = { protocol: "http:", port: 80 } as const;
const LOOPBACK = nets("127.0.0.0/8, ::1");

function nets(text: string): AllowNets {
  const list = parseCidrs(text);
  assert.equal(list.kind, "ok");
  return list.kind === "ok" ? list.nets : assert.fail();
}

function reason(url: string, allowNets: AllowNets): string {
  const checked = checkWebhookUrl(url, allowNets);
  return checked.kind === "ok" ? "ok" : checked.reason;
}

const byte = fc.integer({ min: 0, max: 255 });
/** Four bytes of an address that is private, loopback, link-local, CGNAT or otherwise not public. */
const privateIpv4 = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), byte, byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
  fc.constant<[number, number, number, number]>([168, 63, 129, 16]),
);

type Ipv4 = readonly [number, number, number, number];

function toNumber([a, b, c, d]: Ipv4): number {
  return a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d;
}

/** An IPv4 address in every way of writing it that a browser or libc takes. */
function spellings(bytes: Ipv4): string[] {
  const [a, b, c, d] = bytes;
  const value = toNumber(bytes);
  const dotted = bytes.join(".");
  return [
    dotted,
    `${dotted}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    bytes.map((each) => `0${each.toString(8)}`).join("."),
    bytes.map((each) => `0x${each.toString(16)}`).join("."),
    `${a}.${b * 65_536 + c * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    dotted.replaceAll(".", "。"),
    dotted.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    `[::ffff:${dotted}]`,
    `[0:0:0:0:0:FFFF:${dotted}]`,
    `[::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::1]`,
  ];
}

test("a private IPv4 address is refused in every spelling, over http and https", () => {
  fc.assert(
    fc.property(privateIpv4, fc.constantFrom("http", "https"), (bytes, scheme) => {
      for (const host of spellings(bytes)) assert.notEqual(reason(`${scheme}://${host}/hook`, NONE), "ok", host);
    }),
  );
});

test("a public IPv4 address is accepted over https in its common spellings", () => {
  for (const host of ["93.184.216.34", "0x5db8d822", "1572395042", "[::ffff:93.184.216.34]", "[64:ff9b::5db8:d822]"])
    assert.equal(reason(`https://${host}/`, NONE), "ok", host);
});

test("of IPv6 only public addresses are accepted", () => {
  for (const host of ["2606:4700:4700::1111", "2a00:1450:4001:82b::200e"])
    assert.equal(reason(`https://[${host}]/`, NONE), "ok", host);
  const refused = ["::", "::1", "fe80::1", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"];
  for (const host of [...refused, "2001::1", "3fff::1", "100::1", "64:ff9b:1::1", "5f00::1"])
    assert.equal(reason(`https://[${host}]/`, NONE), "private_address", host);
});

test("an operator opens a network for http and https, and nothing beside it", () => {
  assert.equal(reason("http://127.0.0.1:9000/hook", LOOPBACK), "ok");
  assert.equal(reason("https://127.0.0.1:9000/hook", LOOPBACK), "ok");
  assert.equal(reason("http://[::1]:9000/hook", LOOPBACK), "ok");
  assert.equal(reason("http://[::ffff:127.0.0.1]/", LOOPBACK), "ok");
  assert.equal(reason("http://localhost:9000/hook", LOOPBACK), "ok");
  assert.equal(reason("http://10.0.0.1/hook", LOOPBACK), "private_address");
  assert.equal(reason("https://169.254.169.254/latest", LOOPBACK), "private_address");
  assert.equal(reason("http://93.184.216.34/hook", LOOPBACK), "scheme_not_https");
});

test("names that only mean something inside are refused, also with a dot at their end", () => {
  for (const name of ["localhost", "LOCALHOST.", "printer", "a.localhost", "a.local", "metadata.google.internal"])
    assert.equal(reason(`https://${name}/`, NONE), "local_name", name);
  assert.equal(reason("https://hooks.example.com./x", NONE), "ok");
});

test("only https addresses without credentials, control characters or backslashes are accepted", () => {
  assert.equal(reason("https://hooks.example.com:8443/a?b=c", NONE), "ok");
  assert.equal(reason("http://hooks.example.com/", NONE), "scheme_not_https");
  for (const scheme of ["file", "ftp", "gopher", "javascript", "data", "ws"])
    assert.equal(reason(`${scheme}://hooks.example.com/`, NONE), "scheme_not_https", scheme);
  for (const credentials of ["user@", "user:pass@", ":pass@"])
    assert.equal(reason(`https://${credentials}hooks.example.com/`, NONE), "credentials_in_url");
  for (const text of ["", "hooks.example.com", "//hooks.example.com", "/x", "https://", "https://a b.example.com/"])
    assert.equal(reason(text, NONE), "malformed", text);
  for (const text of [
    "https://hooks.example.com\\@127.0.0.1/",
    "https://hooks.example.com/\r\nx",
    " https://a.example/",
  ])
    assert.equal(reason(text, NONE), "malformed", text);
  assert.equal(reason(`https://hooks.example.com/${"a".repeat(2_048)}`, NONE), "too_long");
});

test("of the low ports only the web's are accepted, but in a network that the operator opened", () => {
  for (const port of [443, 1_024, 8_443, 65_535])
    assert.equal(reason(`https://hooks.example.com:${port}/`, NONE), "ok", `${port}`);
  for (const port of [0, 1, 22, 25, 444, 1_023])
    assert.equal(reason(`https://hooks.example.com:${port}/`, NONE), "port_not_web", `${port}`);
  for (const url of ["https://127.0.0.1:444/", "http://127.0.0.1:22/"]) assert.equal(reason(url, LOOPBACK), "ok");
  assert.equal(reason("https://93.184.216.34:22/", LOOPBACK), "port_not_web");
  // A name is checked again when it is resolved: it may be in the allowed network.
  assert.equal(reason("https://hooks.example.com:444/", LOOPBACK), "ok");
  const low = { protocol: "https:", port: 444 } as const;
  assert.deepEqual(
    ["127.0.0.1", "93.184.216.34"].map((address) => isAllowedAddress(address, low, LOOPBACK)),
    [true, false],
  );
  assert.equal(resolvedRefusal("https://hooks.example.com:444/"), "port_not_web");
  assert.equal(resolvedRefusal("https://hooks.example.com/"), "resolves_inside");
});

test("an address is kept in its normal form, without a fragment", () => {
  assert.deepEqual(checkWebhookUrl("HTTPS://Hooks.Example.COM:443/a#b", NONE), {
    kind: "ok",
    url: "https://hooks.example.com/a",
  });
});

test("no text at all makes the check throw", () => {
  const text = fc.oneof(fc.webUrl(), fc.string({ unit: "binary" }), fc.ipV4Extended(), fc.ipV6());
  fc.assert(fc.property(text, (text) => ["ok", "refused"].includes(checkWebhookUrl(text, NONE).kind)));
  fc.assert(fc.property(text, (text) => ["ok", "refused"].includes(checkWebhookUrl(`https://[${text}]/`, NONE).kind)));
});

test("on connecting, a private address is refused whatever name led to it", () => {
  fc.assert(
    fc.property(privateIpv4, (bytes) => {
      const dotted = bytes.join(".");
      for (const address of [dotted, `::ffff:${dotted}`, `::${dotted}`, `64:ff9b::${dotted}`])
        assert.equal(isAllowedAddress(address, HTTPS, NONE), false, address);
    }),
  );
  for (const address of ["fe80::1%eth0", "example.com", "", "0x7f.1"])
    assert.equal(isAllowedAddress(address, HTTPS, NONE), false, address);
});

test("on connecting, plain http goes only where the operator allows it", () => {
  assert.equal(isAllowedAddress("93.184.216.34", HTTPS, LOOPBACK), true);
  assert.equal(isAllowedAddress("93.184.216.34", HTTP, LOOPBACK), false);
  assert.equal(isAllowedAddress("127.0.0.1", HTTP, LOOPBACK), true);
});

test("a list of networks names each entry it cannot read", () => {
  assert.equal(isAllowedAddress("10.1.2.3", HTTP, nets("10.1.2.3")), true);
  assert.equal(isAllowedAddress("10.1.2.4", HTTP, nets("10.1.2.3")), false);
  assert.equal(isAllowedAddress("fd00::1", HTTP, nets(" fd00::/8 ,10.0.0.0/8")), true);
  assert.deepEqual(parseCidrs("10.0.0.0/8, 10.0.0.0/33, localhost, ::/129, 1.2.3, 10.0.0.0/"), {
    kind: "malformed",
    entries: ["10.0.0.0/33", "localhost", "::/129", "1.2.3", "10.0.0.0/"],
  });
});
