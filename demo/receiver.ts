import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
// The demo is a customer, who would take a library of Standard Webhooks here; this is the one the project has.
import { verify } from "../src/webhooks/sign.ts";
import type { Verification } from "../src/webhooks/sign.ts";

/** A webhook as it came, the first time. */
export interface Delivery {
  readonly event: Event;
  readonly verification: Verification;
  readonly receivedAt: Date;
}

/** What the demo reads of events. */
export interface Event {
  readonly event?: string;
  readonly eventType?: string;
  readonly source?: string;
  readonly trackId?: string;
  readonly receiptId?: string;
  readonly totalPoints?: number;
  readonly errorCode?: string;
  readonly errorType?: string;
  readonly data?: {
    readonly user: { readonly availablePoints: number };
    readonly transaction: { readonly totalPoints: number };
  };
}

/** The integrator's side: where webhooks arrive, and where a hosted page leads people back to. */
export interface Receiver {
  readonly webhookUrl: string;
  readonly redirectUri: string;
  /** In the order of arrival; an event that is delivered again is not noted again. */
  readonly deliveries: readonly Delivery[];
  /** Sets the secret by which deliveries are verified, as soon as it is known. */
  trust(webhookSecret: string): void;
  /** Calls back with each later delivery. */
  onDelivery(listener: (delivery: Delivery) => void): void;
  close(): void;
}

/** Starts a receiver on a free port of loopback. */
export async function startReceiver(): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const ids = new Set<unknown>();
  let secret = "";
  let listen: (delivery: Delivery) => void = () => {};

  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await textOf(request);
    const verification = verify(request.headers, body, secret, Date.now() / 1000);
    // Deliveries are at least once; the id is what tells a repetition.
    const id = request.headers["webhook-id"];
    if (!ids.has(id)) {
      ids.add(id);
      const delivery = { event: JSON.parse(body) as Event, verification, receivedAt: new Date() };
      deliveries.push(delivery);
      listen(delivery);
    }
    return verification.kind === "verified" ? 204 : 401;
  };

  const server = createServer((request, response) => {
    if (request.method !== "POST") {
      response.setHeader("content-type", "text/plain; charset=utf-8");
      response.end(`Back in the app. The hosted page handed over:\n\n${request.url}\n`);
      return;
    }
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    webhookUrl: `http://127.0.0.1:${port}/webhooks`,
    redirectUri: `http://localhost:${port}/back`,
    deliveries,
    trust: (webhookSecret) => {
      secret = webhookSecret;
    },
    onDelivery: (listener) => {
      listen = listener;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
