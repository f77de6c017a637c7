import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebhookError, verifyWebhook } from "rewards-service-sdk";

/** A webhook as it arrived the first time. */
export interface Delivery {
  readonly event: Event;
  /** The reason why its signature is not valid; null where it is. */
  readonly refusal: WebhookError["reason"] | null;
  readonly receivedAt: Date;
}

/** The members of events that the demo reads. */
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

/** The integrator's side: the address for webhooks, and the one that hosted pages redirect to. */
export interface Receiver {
  readonly webhookUrl: string;
  readonly redirectUri: string;
  /** In the order of arrival, without repeated deliveries of an event. */
  readonly deliveries: readonly Delivery[];
  /** Sets the secret that deliveries are verified with, as soon as it is known. */
  trust(webhookSecret: string): void;
  /** Calls the listener with each later delivery. */
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
    const refusal = await verifyWebhook(request.headers, body, secret).then(
      () => null,
      (error: unknown) => {
        if (error instanceof WebhookError) return error.reason;
        throw error;
      },
    );
    // Delivery is at least once; a repeated one has the same id.
    const id = request.headers["webhook-id"];
    if (!ids.has(id)) {
      ids.add(id);
      const delivery = { event: JSON.parse(body) as Event, refusal, receivedAt: new Date() };
      deliveries.push(delivery);
      listen(delivery);
    }
    return refusal === null ? 204 : 401;
  };

  const server = createServer((request, response) => {
    if (request.method !== "POST") {
      response.setHeader("content-type", "text/plain; charset=utf-8");
      response.end(`Back in the app. The hosted page sent:\n\n${request.url}\n`);
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
