import { BlockList, isIP } from "node:net";

/**
 * Networks no webhook goes to, from the IANA special-purpose registries (RFC 6890 and its updates): "this" network,
 * private, CGNAT, loopback, link-local (cloud metadata lives there), protocol assignments, documentation, 6to4
 * relays, benchmarking, multicast, reserved. 168.63.129.16 is a public address, but Azure serves it internally.
 */
const REFUSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * Of IPv6 only 2000::/3 is assigned for global use, without these parts: protocol assignments (such as Teredo),
 * documentation, and 6to4, which carries an IPv4 address and is deprecated (RFC 7526).
 */
const GLOBAL_IPV6 = "2000::/3";
const REFUSED_IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** Outside 2000::/3, but global: an IPv6-only host reaches the IPv4 address in its last 32 bits this way (RFC 6052). */
const NAT64_PREFIX = "64:ff9b::";
const NAT64_BITS = 96;

const URL_LENGTH_MAX = 2_048;
const SYSTEM_PORT_MAX = 1_023;

/** The networks that the operator allows in spite of the rules, from WEBHOOK_ALLOW_NETS. */
export type AllowNets = BlockList;

export type CidrList =
  | { readonly kind: "ok"; readonly nets: AllowNets }
  | { readonly kind: "malformed"; readonly entries: readonly string[] };

/** Reads networks like `127.0.0.0/8, ::1/128`, comma-separated; a bare address is a network of one. "" is none. */
export function parseCidrs(text: string): CidrList {
  const nets = new BlockList();
  const entries = text.split(",").map((entry) => entry.trim());
  const malformed = entries.filter((entry) => entry !== "" && !addNet(nets, entry));
  return malformed.length > 0 ? { kind: "malformed", entries: malformed } : { kind: "ok", nets };
}

/** Protocol and port of a connection. */
export interface Target {
  readonly protocol: "http:" | "https:";
  readonly port: number;
}

/**
 * Whether a connection to this IP address may be opened: https to every public address; plain http, and the low ports
 * of other protocols, only to networks that the operator allows. `address` is in any spelling of the system's resolver;
 * anything else is refused.
 */
export function isAllowedAddress(address: string, { protocol, port }: Target, allowNets: AllowNets): boolean {
  return isInNets(address, allowNets) || (protocol === "https:" && isWebPort(port) && isPublicAddress(address));
}

/** Other low ports belong to other protocols, and a chosen path or header might be a command in one of them. */
function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || port > SYSTEM_PORT_MAX;
}

export type UrlRefusal =
  | "malformed"
  | "too_long"
  | "scheme_not_https"
  | "credentials_in_url"
  | "private_address"
  | "local_name"
  | "resolves_inside"
  | "port_not_web";

export type WebhookUrl =
  | { readonly kind: "ok"; readonly url: string }
  | { readonly kind: "refused"; readonly reason: UrlRefusal };

/**
 * Checks whether an address may be registered as an endpoint (decisions "Events" 4), and returns its normal form.
 * WHATWG parsing first turns every spelling of an IP (decimal, octal, hex, short, full-width) into the usual one.
 * The IP address of a name is unknown here and may change: the sender checks `isAllowedAddress` on connecting.
 */
export function checkWebhookUrl(text: string, allowNets: AllowNets): WebhookUrl {
  if (text.length > URL_LENGTH_MAX) return refused("too_long");
  // The parser would drop line breaks and replace backslashes: people and machines must read the same address.
  if (/[^\u0021-\u007e\u00a0-\uffff]|\\/.test(text)) return refused("malformed");
  const url = URL.parse(text);
  if (url === null) return refused("malformed");
  const { protocol } = url;
  if (protocol !== "https:" && protocol !== "http:") return refused("scheme_not_https");
  if (url.username !== "" || url.password !== "") return refused("credentials_in_url");
  url.hash = "";

  const target = { protocol, port: portOf(url) } as const;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0) {
    if (isAllowedAddress(host, target, allowNets)) return { kind: "ok", url: url.href };
    if (!isPublicAddress(host)) return refused("private_address");
    return refused(isWebPort(target.port) ? "scheme_not_https" : "port_not_web");
  }
  // A local name can only be reached where the operator allows a network.
  const isAnyNetAllowed = allowNets.rules.length > 0;
  if (isLocalName(host) && !isAnyNetAllowed) return refused("local_name");
  if (protocol === "http:" && !isAnyNetAllowed) return refused("scheme_not_https");
  if (!isWebPort(target.port) && !isAnyNetAllowed) return refused("port_not_web");
  return { kind: "ok", url: url.href };
}

/** Why an address is refused whose name resolves only to addresses that are not allowed. */
export function resolvedRefusal(url: string): UrlRefusal {
  return isWebPort(portOf(new URL(url))) ? "resolves_inside" : "port_not_web";
}

function portOf({ protocol, port }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function refused(reason: UrlRefusal): WebhookUrl {
  return { kind: "refused", reason };
}

/** Names without a dot, and those reserved for local use (RFC 6761, 6762, 8375, and ICANN's .internal). */
function isLocalName(name: string): boolean {
  return !name.includes(".") || /\.(?:localhost|local|internal|home\.arpa|test|invalid|onion)$/.test(name);
}

const REFUSED = new BlockList();
const GLOBAL = new BlockList();
addNet(GLOBAL, GLOBAL_IPV6);
GLOBAL.addSubnet(NAT64_PREFIX, NAT64_BITS, "ipv6");
for (const net of REFUSED_IPV6) addNet(REFUSED, net);
for (const net of REFUSED_IPV4) {
  // BlockList itself also finds the IPv4-mapped form (::ffff:a.b.c.d) of what is added here.
  addNet(REFUSED, net);
  const [address = "", bits = ""] = net.split("/");
  REFUSED.addSubnet(NAT64_PREFIX + address, NAT64_BITS + Number(bits), "ipv6");
}

const MAPPED = new BlockList();
MAPPED.addSubnet("::ffff:0:0", 96, "ipv6");

function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  if (family === 4) return !REFUSED.check(address, "ipv4");
  // An IPv4-mapped address is IPv4 on the wire.
  const isGlobal = GLOBAL.check(address, "ipv6") || MAPPED.check(address, "ipv6");
  return isGlobal && !REFUSED.check(address, "ipv6");
}

function isInNets(address: string, nets: BlockList): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes("%")) return false;
  return nets.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Adds `address/bits` or a bare address; false when it is neither. */
function addNet(nets: BlockList, cidr: string): boolean {
  const [, address = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? [];
  const family = isIP(address);
  const bitsMax = family === 4 ? 32 : 128;
  const prefixBits = bits === undefined ? bitsMax : Number(bits);
  if (family === 0 || address.includes("%") || prefixBits > bitsMax) return false;
  nets.addSubnet(address, prefixBits, family === 4 ? "ipv4" : "ipv6");
  return true;
}
