import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import type { Explanation } from "../../points/explanation-schema.ts";
import { Problem } from "../../problems.ts";
import { idIn } from "../form.ts";
import { receiptsPage } from "./list-page.ts";
import { apiQuery, readSearch } from "./query.ts";
import { readReceipt, readSimilar } from "./read.ts";
import { receiptPage } from "./receipt-page.ts";
import type { Entry, Status } from "./types.ts";

const SEE = { config: { console: "see" } } as const;
const SEE_DATA = { config: { console: "see", isData: true } } as const;

/** The `part`th image of a receipt, by its number as in the address. */
function imageOf({ blobUrl, images }: Status["receiptStatusDoc"]["uploadStateData"], part: string) {
  const image = (images ?? [{ blobUrl }])[Number(/^[1-9]$/.exec(part)?.[0] ?? 0) - 1];
  if (!image) throw new Problem("notFound");
  return image;
}

/** Adds the list of receipts, one receipt, and its picture. */
export function receiptRoutes(scope: Server): void {
  scope.get("/console/:application/receipts", SEE, async (request, reply) => {
    const { view, api } = request.console;
    const search = readSearch(request.query);
    const response = await api.call({ method: "GET", path: "/track/receipts", query: apiQuery(search) });
    if (response.status >= 400 && response.status !== 400) throw new Problem("unavailable");
    const isWrong = response.status === 400;
    const found = response.body as { receipts: Entry[]; next: string | null };
    const { receipts, next } = isWrong ? { receipts: [], next: null } : found;
    return sendPage(reply, isWrong ? 400 : 200, receiptsPage(view, { search, receipts, next, isWrong }));
  });

  scope.get("/console/:application/receipts/:id", SEE, async (request, reply) => {
    const { view, api } = request.console;
    const receipt = await readReceipt(api, idIn(request.params));
    const { completedStateData: completed } = receipt.status.receiptStatusDoc;
    const path = `/users/${receipt.status.userId}/transactions/${completed?.transactionID}/explanation`;
    const [similar, explained] = await Promise.all([
      readSimilar(api, receipt),
      completed ? api.call({ method: "GET", path }) : null,
    ]);
    const isExplained = explained?.status === 200;
    const { explanation } = isExplained ? (explained.body as { explanation: Explanation }) : { explanation: null };
    return sendPage(reply, 200, receiptPage(view, { ...receipt, similar, explanation }));
  });

  /**
   * The picture, by a redirect to its signed link: the link is made for each request after the role was checked, is in
   * no page, and ends after five minutes; the bytes go the way of all pictures.
   */
  scope.get("/console/:application/receipts/:id/picture", SEE_DATA, async (request, reply) => {
    const { api } = request.console;
    const { receiptStatusDoc: doc } = await api.get<Status>(`/track/receipts/${idIn(request.params)}/status`);
    const { part } = request.query as Record<string, unknown>;
    const { blobUrl } = imageOf(doc.uploadStateData, typeof part === "string" ? part : "1");
    if (blobUrl === null) throw new Problem("notFound");
    // Without the host: an operator may open the console by another one than that of the links.
    const { pathname, search } = new URL(blobUrl);
    return redirectFromPage(reply, pathname + search);
  });
}
