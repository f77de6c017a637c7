// The pages of the console over a large application: how long each takes, and what it weighs.
import { gzipSync } from "node:zlib";
import { pagesOf } from "./console/pages.ts";
import { consoleRoutes } from "./console/routes.ts";
import { startConsoleSide } from "./console/side.ts";
import type { ConsoleSide } from "./console/side.ts";
import { columns, median, quantile, rounded } from "./figures.ts";
import type { Grown } from "./growth/fill.ts";
import type { Progress } from "./progress.ts";

const P95_MS_AIM = 200;
const GZIPPED_BYTES_AIM = 100_000;
/** Before the first round that counts: charts start a thread, PostgreSQL reads its pages. */
const WARM_UP_ROUNDS = 2;

/** A page as it was measured. */
export interface MeasuredPage {
  readonly name: string;
  readonly address: string;
  readonly status: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly htmlBytes: number;
  readonly gzippedBytes: number;
  /** The same with all styles and scripts that it loads. */
  readonly allGzippedBytes: number;
}

export interface ConsolePages {
  readonly grown: Grown;
  readonly rounds: number;
  readonly pages: readonly MeasuredPage[];
}

export interface ConsoleOptions {
  readonly records: number;
  readonly rounds: number;
  /** A folder that stays with the filled database, or that an earlier run left. */
  readonly folder?: string | undefined;
  /** Only pages whose name or address contains this. */
  readonly only?: string | undefined;
}

/** Requests every page of the console in turns, as somebody who is signed in and may do everything. */
export async function measureConsole(
  { records, rounds, folder, only = "" }: ConsoleOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<ConsolePages> {
  const routes = await consoleRoutes();
  const side = await startConsoleSide({ records, folder }, progress, signal);
  const end = (): void => void side.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    const pages = pagesOf(routes, side.places).filter(({ name, address }) => `${name} ${address}`.includes(only));
    const bodies = new Map<string, Requested>();
    const timings = new Map(pages.map(({ name }): [string, number[]] => [name, []]));
    for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
      progress(`console: ${pages.length} pages, round ${Math.max(0, round + 1)} of ${rounds}`);
      for (const { name, address } of pages) {
        signal.throwIfAborted();
        const requested = await request(side, address);
        bodies.set(name, requested);
        if (round >= 0) timings.get(name)!.push(requested.durationMs);
      }
    }
    const assets = new Map<string, number>();
    const measured: MeasuredPage[] = [];
    for (const { name, address } of pages) {
      const { status, body } = bodies.get(name)!;
      const gzippedBytes = gzipSync(body).length;
      let allGzippedBytes = gzippedBytes;
      for (const asset of assetsOf(body)) {
        if (!assets.has(asset)) assets.set(asset, gzipSync((await request(side, asset)).body).length);
        allGzippedBytes += assets.get(asset)!;
      }
      const times = timings.get(name)!;
      const [p50Ms, p95Ms, htmlBytes] = [median(times), quantile(times, 0.95), Buffer.byteLength(body)];
      measured.push({ name, address, status, p50Ms, p95Ms, htmlBytes, gzippedBytes, allGzippedBytes });
    }
    return { grown: side.grown, rounds, pages: measured };
  } finally {
    signal.removeEventListener("abort", end);
    await side.close();
  }
}

interface Requested {
  readonly status: number;
  readonly body: string;
  readonly durationMs: number;
}

/** Requests a page to its last byte. A redirect is a page of its own. */
async function request({ subject, headers }: ConsoleSide, address: string): Promise<Requested> {
  const startMs = performance.now();
  const response = await fetch(`${subject.url}${address}`, { headers, redirect: "manual" });
  const body = await response.text();
  const durationMs = performance.now() - startMs;
  const { status } = response;
  // Nobody is signed in any more, or the page fails: its time would mean nothing.
  const isSignedOut = response.headers.get("location")?.includes("/sign-in") === true;
  if (status >= 400 || isSignedOut) throw new Error(`${address} responded with ${status}: ${body.slice(0, 300)}`);
  return { status, body, durationMs };
}

/** The addresses of the styles and scripts of a page. */
function assetsOf(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]+\.(?:css|js))"/g)].map(([, address]) => address!);
}

/** The pages for people, the slowest first, with what misses an aim. */
export function consoleText({ grown, rounds, pages }: ConsolePages): string {
  const { submissions, users, bytes } = grown;
  const kilobytes = (of: number): string => (of / 1_000).toFixed(1);
  const met = (isMet: boolean): string => (isMet ? "met" : "missed");
  const rows = pages
    .toSorted((a, b) => b.p95Ms - a.p95Ms)
    .map(({ name, p50Ms, p95Ms, htmlBytes, gzippedBytes, allGzippedBytes }) => [
      name,
      rounded(p50Ms),
      rounded(p95Ms),
      met(p95Ms < P95_MS_AIM),
      kilobytes(htmlBytes),
      kilobytes(gzippedBytes),
      kilobytes(allGzippedBytes),
      met(allGzippedBytes < GZIPPED_BYTES_AIM),
    ]);
  const missed = (is: (page: MeasuredPage) => boolean): string => {
    const names = pages.filter(is).map(({ name }) => name);
    return names.length === 0 ? "all meet it" : `${names.length} miss it: ${names.join(", ")}`;
  };
  return [
    `${submissions.toLocaleString("en")} records of ${users.toLocaleString("en")} users in one application, ` +
      `${(bytes / 1e9).toFixed(1)} GB; ${pages.length} pages, ${rounds} times each in turns`,
    "",
    columns([["page", "p50 ms", "p95 ms", `< ${P95_MS_AIM}`, "HTML kB", "gzipped", "with assets", "< 100"], ...rows]),
    "",
    `p95 below ${P95_MS_AIM} ms: ${missed(({ p95Ms }) => p95Ms >= P95_MS_AIM)}`,
    `below 100 kB, gzipped, with styles and scripts: ${missed(({ allGzippedBytes }) => allGzippedBytes >= GZIPPED_BYTES_AIM)}`,
  ].join("\n");
}
