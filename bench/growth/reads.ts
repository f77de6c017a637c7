// What is read, over HTTP: by both sides in turns, and deep pages beside first ones.
import { median } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { METRICS_TOKEN } from "./side.ts";
import type { Side } from "./side.ts";
import { GROWTH_AIM, PAGE_AIM, takeTurns, timed } from "./turns.ts";
import type { Beside } from "./turns.ts";

const ROUNDS = 50;
/** Users and records that are read in turns, often enough that their pages are in memory. */
const WARM = 8;
const COLD_ROUNDS = 40;
const SIZE = "pageSize=20";
/** Deep pages that take turns: always the same one would only show that a cache works. */
const DEEP_PAGES = 20;

type Path = (side: Side, round: number) => string;

const of = (ids: readonly string[], round: number): string => ids[round % Math.min(WARM, ids.length)]!;
const another = (ids: readonly string[], round: number): string => ids[(WARM + round) % ids.length]!;

/** Lists: the first page, and a deep one. `count` is part of each page of transactions. */
const LISTS: Readonly<Record<string, { readonly first: Path; readonly deep: Path }>> = {
  "transactions of the largest user, with count": {
    first: ({ largest }) => `/users/${largest.id}/transactions?page=1&${SIZE}`,
    deep: ({ largest: { id, records } }, round) =>
      `/users/${id}/transactions?page=${Math.floor(records / 20) - (round % DEEP_PAGES)}&${SIZE}`,
  },
  receipts: {
    first: () => `/track/receipts?${SIZE}`,
    deep: ({ deep }) => `/track/receipts?${SIZE}&before=${deep.receiptId}`,
  },
  "delivery log": {
    first: () => `/webhooks/deliveries?${SIZE}`,
    deep: ({ deep }) => `/webhooks/deliveries?${SIZE}&before=${deep.deliveryId}`,
  },
};

/** A hundred events: the oldest of a feed are its first page, and those of the last days its deep one. */
const READS: Readonly<Record<string, Path>> = {
  "100 events of the feed since days ago": ({ deep }) => `/events?since=${encodeURIComponent(deep.eventsSince)}`,
  "the feed's place for new events": () => "/events?wait=0",
  "transactions of a usual user": ({ userIds }, round) => `/users/${of(userIds, round)}/transactions?page=1&${SIZE}`,
  "summary of a usual user": ({ userIds }, round) => `/users/${of(userIds, round)}/summary`,
  "summary of the largest user": ({ largest }) => `/users/${largest.id}/summary`,
  "a transaction": ({ largest, recordIds }, round) => `/users/${largest.id}/transactions/${of(recordIds, round)}`,
  "explanation of a transaction": ({ largest, recordIds }, round) =>
    `/users/${largest.id}/transactions/${of(recordIds, round)}/explanation`,
  "status of a food": ({ foodIds }, round) => `/track/food/${of(foodIds, round)}/status`,
  "receipts of a user": ({ userIds }, round) => `/track/receipts?${SIZE}&userId=${of(userIds, round)}`,
  "receipts of a merchant that none has (500 are read)": () => `/track/receipts?${SIZE}&merchant=unknown`,
  "receipts with a reference": (_side, round) => `/track/receipts?${SIZE}&transactionId=grown-${round}`,
  "delivery log of a user": ({ userIds }, round) => `/webhooks/deliveries?${SIZE}&userId=${of(userIds, round)}`,
  "delivery log, failed": () => `/webhooks/deliveries?${SIZE}&state=failed`,
  "delivery log by a reference (2,000 are read)": (_side, round) =>
    `/webhooks/deliveries?${SIZE}&transactionId=unknown-${round}`,
  rewards: () => `/rewards?${SIZE}`,
  "rewards for a user": ({ userIds }, round) => `/users/${of(userIds, round)}/rewards`,
};

/** The first visit of each user: pages that may be on the disk only. No cache of any size makes these alike. */
const COLD: Readonly<Record<string, Path>> = {
  "summary of a user who comes for the first time": ({ userIds }, round) => `/users/${another(userIds, round)}/summary`,
  "transactions of another who does": ({ userIds }, round) =>
    `/users/${another(userIds.toReversed(), round)}/transactions?page=1&${SIZE}`,
};

/** Times one GET, whose response must be 200. */
export async function get({ subject }: Side, path: string): Promise<number> {
  return timed(async () => {
    const url = `${subject.url}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
    const response = await fetch(url, { headers: subject.headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${text.slice(0, 300)}`);
  });
}

export async function measureReading(sides: readonly [Side, Side], progress: Progress): Promise<Beside[]> {
  const found: Beside[] = [];
  const compare = async (name: string, path: Path, aim: number | null = GROWTH_AIM, rounds = ROUNDS) => {
    progress(`reading: ${name}`);
    const { small, large } = await takeTurns(sides, rounds, (side, round) => get(side, path(side, round)));
    found.push({ name, unit: "ms", small: median(small), large: median(large), aim });
  };
  for (const [name, path] of Object.entries(COLD)) await compare(name, path, null, COLD_ROUNDS);
  for (const [name, { first, deep }] of Object.entries(LISTS)) {
    await compare(`${name}: first page`, first);
    await compare(`${name}: deep page`, deep);
    const [firstMs, deepMs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      firstMs.push(await get(sides[1], first(sides[1], round)));
      deepMs.push(await get(sides[1], deep(sides[1], round)));
    }
    const small = median(firstMs);
    found.push({ name: `${name}: first page, deep page`, unit: "ms", small, large: median(deepMs), aim: PAGE_AIM });
  }
  for (const [name, path] of Object.entries(READS)) await compare(name, path);
  progress("reading: /metrics");
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { small, large } = await takeTurns(sides, ROUNDS, ({ subject }) =>
    timed(async () => void (await (await fetch(`${subject.url}/metrics`, { headers })).text())),
  );
  found.push({ name: "/metrics", unit: "ms", small: median(small), large: median(large), aim: GROWTH_AIM });
  return found;
}
