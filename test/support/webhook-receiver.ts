import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A received delivery. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface WebhookReceiver {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  /** In the order of arrival. */
  readonly received: Received[];
  close(): Promise<void>;
}

/** Starts a receiver on loopback that records every delivery and responds by `respond`; with 200 by default. */
export async function startWebhookReceiver(
  respond: (received: Received, response: ServerResponse) => void = (_, response) => response.end("ok"),
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const delivery = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(delivery);
      respond(delivery, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
