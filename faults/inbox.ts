import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verify } from "../src/webhooks/sign.ts";

/** An event as received by an endpoint, with everything that must not change between attempts. */
export interface Seen {
  readonly webhookId: string;
  readonly type: string;
  /** The id of its submission; of events about a record that belongs to none, and of an award, that of the record. */
  readonly subject: string;
  /** The record that it refunds; "" without one. */
  readonly related: string;
  /** Points are reserved by it. */
  readonly isReserved: boolean;
  readonly points: number | null;
  readonly bodySha256: string;
  attempts: number;
  /** It got a 2xx. */
  isAnswered: boolean;
}

/** One endpoint of an integrator. It runs longer than the service. */
export interface Inbox {
  readonly url: string;
  /** By webhook id, in the order of first arrival. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Deliveries that an endpoint must never get. */
  readonly faults: readonly string[];
  /** Attempts of events that had got a 2xx before. */
  readonly duplicates: number;
  /** Its signing secret, once known. Signatures are not checked before. */
  secret: string | null;
  close(): Promise<void>;
}

interface Body {
  readonly event?: string;
  readonly eventType?: string;
  readonly trackId?: string;
  readonly receiptId?: string;
  readonly transactionID?: string | null;
  readonly relatedTransactionID?: string | null;
  readonly status?: string;
  readonly totalPoints?: number;
  readonly data?: { readonly transaction: { readonly transactionID: string; readonly totalPoints: number } };
}

/** Starts an endpoint on loopback. `refuses` decides which attempts get a 500, `answerMs` after how long. */
export async function openInbox(refuses: () => boolean, answerMs: () => number = () => 0): Promise<Inbox> {
  const seen = new Map<string, Seen>();
  const faults: string[] = [];
  let duplicates = 0;
  const note = (headers: Readonly<Record<string, string | string[] | undefined>>, body: string): Seen => {
    if (inbox.secret !== null && verify(headers, body, inbox.secret, Date.now() / 1_000).kind !== "verified") {
      faults.push(`a delivery ${String(headers["webhook-id"])} is not signed well`);
    }
    const webhookId = String(headers["webhook-id"]);
    const bodySha256 = createHash("sha256").update(body).digest("base64");
    const earlier = seen.get(webhookId);
    if (earlier) {
      earlier.attempts++;
      if (earlier.isAnswered) duplicates++;
      if (earlier.bodySha256 !== bodySha256) faults.push(`${earlier.type} ${webhookId} came with two bodies`);
      return earlier;
    }
    const event = JSON.parse(body) as Body;
    const type = event.event ?? event.eventType ?? "";
    const submission = type === "receipt_corrected" ? null : (event.trackId ?? event.receiptId);
    const subject = submission ?? event.data?.transaction.transactionID ?? event.transactionID ?? "";
    const related = event.relatedTransactionID ?? "";
    const isReserved = type === "points.redeemed" && event.status === "pending";
    const points = event.data?.transaction.totalPoints ?? event.totalPoints ?? null;
    const first = { webhookId, type, subject, related, isReserved, points, bodySha256, attempts: 1, isAnswered: false };
    seen.set(webhookId, first);
    return first;
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const event = note(request.headers, Buffer.concat(chunks).toString());
      const isRefused = refuses();
      setTimeout(() => {
        if (!isRefused) event.isAnswered = true;
        response.writeHead(isRefused ? 500 : 204).end();
      }, answerMs());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const inbox: Inbox = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    faults,
    get duplicates() {
      return duplicates;
    },
    secret: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return inbox;
}
