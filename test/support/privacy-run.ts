import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import type { Logger } from "pino";
import type { Server } from "../../src/http/server.ts";

// What a run of tests leaves for `npm run test:privacy` (scripts/test-privacy.ts): the logs, metrics and traces of its
// services, and what people, shops and applications sent and got. Without the folder's variable it leaves nothing.

/** The folder of such a run. */
export const FOLDER_VARIABLE = "TEST_PRIVACY_FOLDER";
/** The address of its collector of traces. */
export const COLLECTOR_VARIABLE = "TEST_PRIVACY_COLLECTOR";

const METRICS_TOKEN = "token-of-the-metrics";
/** Members of requests and responses that are somebody's: names, addresses, goods, references, secrets, free text. */
const PERSONAL =
  /^(?:name|.*Name|email|.*Address|reason|note|comment|.*[Ss]ecret|token|code|codes|text|reference|transactionId|logId|externalId)$/;
const PERSONAL_HEADERS = ["x-client-secret", "idempotency-key", "authorization", "cookie"];
/** Sessions of pages and links of images, wherever they are. */
const SECRETS_OF_LINKS = /(?:sessionId|signature|token)=([\w-]{16,})/g;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const folder = process.env[FOLDER_VARIABLE];
const known = new Set<string>();
let services = 0;

/** Settings that make a service say all it can; none in other runs. */
export function tellingSettings(): Record<string, string> {
  const endpoint = process.env[COLLECTOR_VARIABLE];
  if (folder === undefined) return {};
  return { LOG_LEVEL: "debug", METRICS_TOKEN, ...(endpoint && { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }) };
}

/** The log of a service of a test: a file of the folder, or what the level says. */
export function logOfTest(level: string): Logger {
  if (folder === undefined) return pino({ level });
  services += 1;
  const dest = join(folder, `log-${process.pid}-${services}.txt`);
  return pino({ level: "debug" }, pino.destination({ dest, sync: true }));
}

/** Keeps what a process of a test wrote. */
export function keepOutput(pid: number | undefined, text: string): void {
  if (folder !== undefined) appendFileSync(join(folder, `log-of-process-${pid}.txt`), text);
}

/** Keeps the metrics of a service at its end. */
export async function keepMetrics(server: Pick<Server, "inject">, token: string): Promise<void> {
  if (folder === undefined || token === "") return;
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await server.inject({ method: "GET", url: "/metrics", headers });
  appendFileSync(join(folder, `metrics-${process.pid}.txt`), body);
}

/** Keeps what is personal in all that a test sends to a service, and gets from it. */
export function keepPersonal(server: Pick<Server, "inject">): void {
  if (folder === undefined) return;
  const inject = server.inject.bind(server);
  const kept = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    if (typeof options === "string") return response;
    const headers = Object.entries(options.headers ?? {})
      .map(([name, value]): [string, string] => [name, String(value)])
      .filter(([name, value]) => PERSONAL_HEADERS.includes(name) && !isOwnId(name, value));
    const values = [...personalIn(options.payload), ...(options.payloadAsStream ? [] : personalIn(response.body))];
    keep([...values, ...headers]);
    return response;
  };
  server.inject = kept as typeof server.inject;
}

function keep(values: readonly (readonly [string, string])[]): void {
  const fresh = values.filter(([, value]) => !known.has(value));
  for (const [, value] of fresh) known.add(value);
  const lines = fresh.map((each) => `${JSON.stringify(each)}\n`).join("");
  if (lines !== "") appendFileSync(join(folder!, `personal-${process.pid}.jsonl`), lines);
}

/** The personal values of a body, each with the name of its member. Text that is no JSON has only links. */
export function personalIn(body: unknown): [string, string][] {
  const text = Buffer.isBuffer(body) ? "" : typeof body === "string" ? body : JSON.stringify(body ?? null);
  const links = [...text.matchAll(SECRETS_OF_LINKS)].map((match): [string, string] => ["link", match[1]!]);
  return [...links, ...leavesOf(parsed(text))];
}

/** The personal texts in a value, without recursion: a test sends bodies of a hundred thousand levels. */
function leavesOf(root: unknown): [string, string][] {
  const leaves: [string, string][] = [];
  const open: { name: string; value: unknown }[] = [{ name: "", value: root }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { name, value } = at;
    if (typeof value === "string") {
      if (PERSONAL.test(name) && !isOwnId(name, value)) leaves.push([name, value]);
    } else if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i -= 1) open.push({ name, value: value[i] });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, each] of Object.entries(value).reverse()) open.push({ name: key, value: each });
    }
  }
  return leaves;
}

/** Whether it is an id the service made, which logs may name: of a record, or one that a test sends as a secret. */
function isOwnId(name: string, value: string): boolean {
  return (name === "transactionId" || name === "x-client-secret") && UUID.test(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
