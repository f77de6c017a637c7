import type { Files } from "../files.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import { isBlobLinkValid } from "./blob-link.ts";
import { getReceiptStatus } from "./operations.ts";
import type { ReadReceiptStatus } from "./status.task.ts";

/** The status of receipts, in the API. */
export function statusRoutes(server: Server, { readStatus }: { readStatus: ReadReceiptStatus }): void {
  server.get(getReceiptStatus.path, routeOf(getReceiptStatus), async (request) => {
    const status = await readStatus(request.application.id, request.params.id);
    if (!status) throw new Problem("notFound");
    return status;
  });
}

/** The images behind the signed links of status documents. They need no credentials but the link. */
export function blobRoutes(
  server: Server,
  { files, linkKey, now }: { files: Pick<Files, "open" | "placeOf">; linkKey: Uint8Array; now: () => Date },
): void {
  server.get("/files/*", async (request, reply) => {
    const imageKey = (request.params as { "*": string })["*"];
    const { expires, signature } = request.query as Record<string, unknown>;
    if (typeof expires !== "string" || typeof signature !== "string") throw new Problem("notFound");
    if (!isBlobLinkValid(linkKey, imageKey, { expires, signature }, now())) throw new Problem("notFound");
    const place = await files.placeOf(imageKey, secondsLeft(expires, now()));
    // Moved to S3 since the link was made: nobody's slow download holds a connection of this service to it.
    if (place.kind === "at") return reply.header("cache-control", "private, no-store").redirect(place.url);
    const image = place.kind === "here" ? await files.open(imageKey) : null;
    if (!image) throw new Problem("notFound");
    return reply.type("image/jpeg").header("cache-control", "private, no-store").send(image);
  });
}

/** Rounded up: a link that is valid is so for a second at least. */
function secondsLeft(expires: string, now: Date): number {
  return Math.ceil(Number(expires) - now.getTime() / 1_000);
}
