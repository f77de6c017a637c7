import type { Server } from "./server.ts";

/** Adds `/health/live` (always 200) and `/health/ready` (503 while not ready). Neither needs credentials. */
export function healthRoutes(server: Server, isReady: () => Promise<boolean>): void {
  server.get("/health/live", async () => ({ status: "live" }));
  server.get("/health/ready", async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}
