import type { ExcludedItem, IntakeStatus, Item, ReceiptStatus, User } from "rewards-service-sdk";
import type { Delivery } from "./receiver.ts";
import type { Credentials } from "./service.ts";
import { grade, heading, paint, say, table } from "./terminal.ts";
import type { Cell, Column } from "./terminal.ts";

const ITEM_COLUMNS: readonly Column[] = [
  { title: "As printed or sent", width: 24 },
  { title: "Matched to", width: 27 },
  { title: "kg CO2e", width: 8, align: "right" },
  { title: "Health", width: 6, align: "right" },
  { title: "Carbon", width: 6, align: "right" },
  { title: "Points", width: 6, align: "right" },
];

/** The reasons why an item earns nothing, in words. */
const REASONS: Readonly<Record<string, string>> = {
  NO_MATCH: "no food of the catalogue is similar",
  LOW_CONFIDENCE: "not sure enough which food it is",
  ALCOHOL: "alcohol earns nothing",
  TOBACCO: "tobacco earns nothing",
  INFANT_FORMULA: "infant formula earns nothing",
  SUPPLEMENT: "a supplement is not food",
  PET_FOOD: "pet food is not rated",
  NON_FOOD: "not a food",
  BAG: "a bag, not a food",
  DEPOSIT: "a deposit, not a food",
  DISCOUNT: "a discount, not a food",
  REFUND: "a refund",
  VOID: "a void",
};

/** Prints the rated items of the three submissions, with sums, and the items left out. */
export function showItems(receipt: ReceiptStatus, meal: IntakeStatus, food: IntakeStatus): void {
  const { items = [], excludedItems = [], totals } = receipt.receiptStatusDoc.scoredStateData ?? {};
  heading("Items, ratings and points", "grades A (best) to E");
  table(ITEM_COLUMNS, [
    [...items.map(itemRow), sumRow("Receipt", totals?.totalCo2e, totals?.totalPoints)],
    ...(
      [
        ["Meal", meal],
        ["Food", food],
      ] as const
    ).map(([name, { scored, completed }]) => [
      ...(scored?.items ?? []).map(itemRow),
      sumRow(name, scored?.totalCo2e, completed?.totalPoints),
    ]),
  ]);
  const excluded = [excludedItems, meal.scored?.excludedItems ?? [], food.scored?.excludedItems ?? []].flat();
  if (excluded.length === 0) return;
  heading("Left out");
  for (const item of excluded) say(`${item.name.padEnd(24)}  ${paint("dim", reasonOf(item))}`);
}

function itemRow(item: Item): Cell[] {
  return [
    item.name,
    item.matchedIngredientName,
    item.totalCO2e.toFixed(2),
    grade(item.healthImpactRating),
    grade(item.carbonImpactRating),
    String(item.totalServicePoints),
  ];
}

function sumRow(name: string, co2eKg = 0, points = 0): Cell[] {
  const bold = (text: string): Cell => ({ text, format: "bold" });
  return [bold(name), "", bold(co2eKg.toFixed(2)), "", "", bold(String(points))];
}

function reasonOf({ exclusionReason }: ExcludedItem): string {
  return REASONS[exclusionReason] ?? exclusionReason;
}

/** Prints one webhook: its signature check, its time after the first one, its contents. */
export function showWebhook(all: readonly Delivery[], { event, refusal, receivedAt }: Delivery): void {
  const afterMs = receivedAt.getTime() - (all[0] ?? { receivedAt }).receivedAt.getTime();
  const sign = refusal === null ? paint("green", "✓") : paint("red", `✗ ${refusal}`);
  const name = event.event ?? event.eventType ?? "(unnamed)";
  const about = aboutEvent(event);
  say(`${sign} +${(afterMs / 1000).toFixed(2).padStart(5)} s   ${name.padEnd(19)} ${paint("dim", about)}`);
}

function aboutEvent({ source, totalPoints, errorCode, errorType, data, receiptId }: Delivery["event"]): string {
  const points = totalPoints ?? data?.transaction.totalPoints;
  return [
    source ?? (receiptId === undefined ? null : "receipt"),
    points === undefined ? null : `${points} points`,
    data ? `balance ${data.user.availablePoints}` : null,
    errorCode ?? errorType ?? null,
  ]
    .filter((part) => part !== null)
    .join(", ");
}

/** Prints the user's summary. */
export function showSummary(user: User): void {
  heading("The user's summary", `GET /users/${user.userID}/summary`);
  const points = paint(["bold", "green"], `${user.lifetimePoints} points`);
  say(`${user.email} has ${points} (${user.availablePoints} to spend) from ${user.numOfTransactions} transactions,`);
  say(`a carbon score of ${user.totalCarbonScore}, and bought or ate ${user.totalGreenProducts} green products.`);
}

/** Prints the addresses of the API and the hosted pages, and calls with the credentials of this demo. */
export function showWayIn(
  url: string,
  { clientId, clientSecret }: Credentials,
  userId: string,
  pages: { readonly enrolment: string; readonly receipt: string },
): void {
  heading("Try it", `the API is at ${url}`);
  const credentials = [`  -H 'x-client-id: ${clientId}'`, `  -H 'x-client-secret: ${clientSecret}'`];
  say(paint("dim", "The user's transactions:"));
  say(`curl \\`);
  for (const line of credentials) say(`${line} \\`);
  say(`  '${url}/users/${userId}/transactions?api-version=1.0'`);
  say();
  say(paint("dim", "One more meal, matched by its name; its webhooks appear below:"));
  say(`curl '${url}/track/meals?api-version=1.0' \\`);
  for (const line of credentials) say(`${line} \\`);
  say(`  -H 'content-type: application/json' -d '{`);
  say(`    "userId": "${userId}", "logId": "my-first",`);
  say(`    "mealName": "Porridge", "mealType": "breakfast",`);
  say(`    "imageUrl": "https://example.org/porridge.jpg", "loggedAt": "${new Date().toISOString()}"}'`);
  say();
  say(paint("dim", "The hosted pages, for half an hour and one use each:"));
  say(`consent  ${pages.enrolment}`);
  say(`upload   ${pages.receipt}`);
}
