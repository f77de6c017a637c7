// The addresses of the console that are requested, for each of its routes. Pure.
import { READ } from "../../src/console/overview/plan.ts";
import { PRESETS, frameOf } from "../../src/console/overview/timeframe.ts";
import { PERIODS } from "../../src/reports/periods.ts";
import { DAY_MS } from "../../src/time.ts";

/** Days that addresses name. */
export interface Days {
  readonly today: string;
  readonly yearAgo: string;
  /** The first day of the longest timeframe that the overview shows. */
  readonly longAgo: string;
}

/** As many as the overview shows at most: almost five years. */
const LONG_DAYS = 1_800;

export function daysAt(now: Date): Days {
  const ago = (days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  const days = { today: ago(0), yearAgo: ago(365), longAgo: ago(LONG_DAYS) };
  // It would show the last 30 days instead, and nobody would notice.
  const { problem } = frameOf(new URLSearchParams({ from: days.longAgo, till: days.today }), now);
  if (problem !== null) throw new Error(`the overview does not show ${LONG_DAYS} days: ${problem}`);
  return days;
}

/** What addresses name, found in the filled database. */
export interface Places extends Days {
  readonly applicationId: string;
  /** A user with about a dozen records, one with a hundredth of all, and one with a tenth. */
  readonly userId: string;
  readonly busyUserId: string;
  readonly largestUserId: string;
  /** Records of the usual user, one of a receipt with 200 lines, and a redemption with a code. */
  readonly recordId: string;
  readonly largestRecord: { readonly userId: string; readonly recordId: string };
  readonly redemption: { readonly userId: string; readonly recordId: string };
  readonly completedId: string;
  readonly failedId: string;
  readonly heldId: string;
  readonly disputedId: string;
  readonly largestReceiptId: string;
  readonly largestHeldId: string;
  /** A receipt, an entry and a delivery before nine tenths of their lists. */
  readonly deepReceiptId: string;
  readonly deepEntryId: string;
  readonly deepDeliveryId: string;
  readonly reference: string;
  /** The most frequent unknown name, and one of the last page of the list. */
  readonly nameId: string;
  readonly deepName: { readonly id: string; readonly page: number };
  readonly foodId: string;
  readonly previewId: string;
  /** Versions of the programme: the largest, and the one in force. */
  readonly largestVersion: number;
  readonly version: number;
  readonly rewardId: string;
  readonly poolId: string;
  readonly rewardPages: number;
  readonly endpointId: string;
  readonly failingEndpointId: string;
  readonly deliveryId: string;
  readonly failedDeliveryId: string;
  /** Pages of the history of the largest user. */
  readonly historyPages: number;
}

/** Addresses by what they show. */
type Addresses = Readonly<Record<string, string>>;

/** Pages of a route: null for one that has none to measure, with its reason beside it. */
type PagesOf = ((places: Places) => Addresses) | null;

const overview = ({ applicationId, yearAgo, longAgo, today }: Places): Addresses => {
  const base = `/console/${applicationId}/overview`;
  const own = { "own year": yearAgo, "own 1,800 days": longAgo };
  return {
    overview: base,
    ...Object.fromEntries(Object.keys(PRESETS).map((last) => [`overview, last ${last}`, `${base}?last=${last}`])),
    ...Object.fromEntries(
      Object.entries(own).flatMap(([name, from]) =>
        PERIODS.map((by) => [`overview, ${name} by ${by}`, `${base}?from=${from}&till=${today}&by=${by}`]),
      ),
    ),
  };
};

const receipts = (places: Places): Addresses => {
  const { applicationId, deepReceiptId, userId, largestUserId, reference, yearAgo, today } = places;
  const base = `/console/${applicationId}/receipts`;
  const states = ["Completed", "Failed", "Uploaded", "held", "disputed"];
  return {
    receipts: base,
    "receipts, deep": `${base}?before=${deepReceiptId}`,
    ...Object.fromEntries(states.map((state) => [`receipts, ${state}`, `${base}?state=${state}`])),
    "receipts, an error": `${base}?errorCode=NO_VALID_FOOD_ITEMS`,
    "receipts, a check": `${base}?check=lines_add_up`,
    "receipts, a frequent merchant": `${base}?merchant=larkmeadow`,
    "receipts, a merchant that none has": `${base}?merchant=unknown`,
    "receipts, of a usual user": `${base}?userId=${userId}`,
    "receipts, of the largest user": `${base}?userId=${largestUserId}`,
    "receipts, a reference": `${base}?transactionId=${reference}`,
    "receipts, days": `${base}?from=${yearAgo}&until=${today}`,
    "receipts, days and a merchant": `${base}?from=${yearAgo}&until=${today}&merchant=unknown&state=Failed`,
  };
};

const names = ({ applicationId, deepName }: Places): Addresses => {
  const base = `/console/${applicationId}/names`;
  return {
    names: base,
    "names, deep": `${base}?page=${deepName.page}`,
    "names, 30 days": `${base}?timeframe=30d`,
    "names, 7 days": `${base}?timeframe=7d`,
    "names, 1 day": `${base}?timeframe=1d`,
    "names, by spend": `${base}?spendIn=GBP`,
    "names, by spend of 30 days": `${base}?spendIn=GBP&timeframe=30d`,
  };
};

const deliveries = ({ applicationId, deepDeliveryId, failingEndpointId }: Places): Addresses => {
  const base = `/console/${applicationId}/developers/deliveries`;
  const states = ["pending", "delivered", "failed"];
  return {
    deliveries: base,
    "deliveries, deep": `${base}?before=${deepDeliveryId}`,
    ...Object.fromEntries(states.map((state) => [`deliveries, ${state}`, `${base}?state=${state}`])),
    "deliveries, an event": `${base}?event=receipt_completed`,
    "deliveries, an endpoint": `${base}?endpointId=${failingEndpointId}`,
    "deliveries, a rare event": `${base}?event=tier.changed`,
  };
};

const audit = ({ applicationId, deepEntryId }: Places): Addresses => ({
  audit: "/console/audit",
  "audit, deep": `/console/audit?before=${deepEntryId}`,
  "audit, of an application": `/console/audit?application=${applicationId}`,
  "audit, of an application, deep": `/console/audit?application=${applicationId}&before=${deepEntryId}`,
});

/** A route below an application, with the ids of the places. */
const one =
  (name: string, below: (places: Places) => string) =>
  (places: Places): Addresses => ({ [name]: `/console/${places.applicationId}/${below(places)}` });
const several =
  (all: Readonly<Record<string, (places: Places) => string>>) =>
  (places: Places): Addresses =>
    Object.fromEntries(
      Object.entries(all).map(([name, below]) => [name, `/console/${places.applicationId}/${below(places)}`]),
    );

/** The addresses of each route. */
export const PAGES: Readonly<Record<string, PagesOf>> = {
  "/console/sign-in": () => ({ "sign in": "/console/sign-in" }),
  // Each visit with a wrong one counts as a failed attempt: the address would be locked.
  "/console/link": null,
  "/console/account": () => ({ account: "/console/account" }),
  "/console": () => ({ "first page": "/console" }),
  "/console/team": () => ({ team: "/console/team" }),
  "/console/audit": audit,
  "/console/:application/overview": overview,
  "/console/:application/overview/csv/:report": (places) =>
    several(
      Object.fromEntries(
        READ.map((report) => [
          `CSV of ${report}, a year`,
          ({ yearAgo, today }: Places) => `overview/csv/${report}?from=${yearAgo}&till=${today}&by=day`,
        ]),
      ),
    )(places),
  "/console/:application/receipts": receipts,
  "/console/:application/receipts/:id": several({
    "a receipt": ({ completedId }) => `receipts/${completedId}`,
    "a receipt that failed": ({ failedId }) => `receipts/${failedId}`,
    "a receipt that is held": ({ heldId }) => `receipts/${heldId}`,
    "a receipt that is disputed": ({ disputedId }) => `receipts/${disputedId}`,
    "a receipt of 200 lines": ({ largestReceiptId }) => `receipts/${largestReceiptId}`,
  }),
  "/console/:application/receipts/:id/picture": one(
    "picture of a receipt",
    ({ completedId }) => `receipts/${completedId}/picture`,
  ),
  "/console/:application/review": one("review", () => "review"),
  "/console/:application/review/foods": one("review, search of foods", () => "review/foods?name=oat%20milk"),
  "/console/:application/review/:id": several({
    "review of a held receipt": ({ heldId }) => `review/${heldId}`,
    "review of a disputed receipt": ({ disputedId }) => `review/${disputedId}`,
    "review of 200 lines": ({ largestHeldId }) => `review/${largestHeldId}`,
  }),
  "/console/:application/names": names,
  "/console/:application/names/foods": one("names, search of foods", () => "names/foods?q=oat%20milk"),
  "/console/:application/names/:id": several({
    "a name": ({ nameId }) => `names/${nameId}`,
    "a rare name": ({ deepName }) => `names/${deepName.id}?page=${deepName.page}`,
    "a name, search": ({ nameId }) => `names/${nameId}?q=oat%20milk`,
  }),
  "/console/:application/names/:id/preview": several({
    "preview of a name": ({ nameId, foodId }) => `names/${nameId}/preview?means=food:${foodId}`,
    "preview of no food": ({ nameId }) => `names/${nameId}/preview?means=not-food`,
    "preview of a rare name": ({ deepName, foodId }) =>
      `names/${deepName.id}/preview?page=${deepName.page}&means=food:${foodId}`,
  }),
  "/console/:application/people": one("people", () => "people"),
  "/console/:application/people/:id": several({
    "a person": ({ userId }) => `people/${userId}`,
    "a person with a hundredth of all records": ({ busyUserId }) => `people/${busyUserId}`,
    "the largest person": ({ largestUserId }) => `people/${largestUserId}`,
    "the largest person, deep": ({ largestUserId, historyPages }) => `people/${largestUserId}?page=${historyPages}`,
  }),
  "/console/:application/people/:id/erase": one("erasing a person", ({ userId }) => `people/${userId}/erase`),
  "/console/:application/people/:id/records/:record": several({
    "a record": ({ userId, recordId }) => `people/${userId}/records/${recordId}`,
    "a record of 200 items": ({ largestRecord: { userId, recordId } }) => `people/${userId}/records/${recordId}`,
    "a redemption": ({ redemption: { userId, recordId } }) => `people/${userId}/records/${recordId}`,
  }),
  "/console/:application/programme": one("programme", () => "programme"),
  "/console/:application/programme/draft": several({
    "a draft": () => "programme/draft",
    "the largest draft": ({ largestVersion }) => `programme/draft?from=${largestVersion}`,
  }),
  "/console/:application/programme/previews/:id": one(
    "preview of a programme",
    ({ previewId }) => `programme/previews/${previewId}`,
  ),
  "/console/:application/programme/:version": several({
    "a version": ({ version }) => `programme/${version}`,
    "the largest version": ({ largestVersion }) => `programme/${largestVersion}`,
  }),
  "/console/:application/rewards": several({
    rewards: () => "rewards",
    "rewards, last page": ({ rewardPages }) => `rewards?page=${rewardPages}`,
  }),
  "/console/:application/rewards/new": one("a new reward", () => "rewards/new"),
  "/console/:application/rewards/:id": several({
    "a reward": ({ rewardId }) => `rewards/${rewardId}`,
    "a reward with codes": ({ poolId }) => `rewards/${poolId}`,
  }),
  "/console/:application/rewards/:id/edit": one("a reward, form", ({ rewardId }) => `rewards/${rewardId}/edit`),
  "/console/:application/rewards/:id/remove": one("a reward, removal", ({ rewardId }) => `rewards/${rewardId}/remove`),
  "/console/:application/developers": one("developers", () => "developers"),
  "/console/:application/developers/endpoints/:endpoint": several({
    "an endpoint": ({ endpointId }) => `developers/endpoints/${endpointId}`,
    "an endpoint that fails": ({ failingEndpointId }) => `developers/endpoints/${failingEndpointId}`,
  }),
  "/console/:application/developers/endpoints/:endpoint/csv": one(
    "CSV of an endpoint",
    ({ endpointId }) => `developers/endpoints/${endpointId}/csv`,
  ),
  "/console/:application/developers/deliveries": deliveries,
  "/console/:application/developers/deliveries/:delivery": several({
    "a delivery": ({ deliveryId }) => `developers/deliveries/${deliveryId}`,
    "a delivery that failed": ({ failedDeliveryId }) => `developers/deliveries/${failedDeliveryId}`,
  }),
  "/console/:application/developers/events": one("events", () => "developers/events"),
  // A response without an end.
  "/console/:application/developers/events/stream": null,
  "/console/:application/developers/call": one("a call", () => "developers/call"),
};

/** What is requested of the routes. Throws where a route has no addresses, or is no route any more. */
export function pagesOf(routes: readonly string[], places: Places): { name: string; address: string }[] {
  const missing = routes.filter((route) => !Object.hasOwn(PAGES, route));
  const gone = Object.keys(PAGES).filter((route) => !routes.includes(route));
  if (missing.length > 0) throw new Error(`bench/console/pages.ts has no address for ${missing.join(", ")}`);
  if (gone.length > 0) throw new Error(`bench/console/pages.ts has routes that are gone: ${gone.join(", ")}`);
  return routes.flatMap((route) =>
    Object.entries(PAGES[route]?.(places) ?? {}).map(([name, address]) => ({ name, address })),
  );
}
