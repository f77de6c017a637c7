import type { Server } from "./server.ts";

/**
 * Adds `/health/live` (always 200) and `/health/ready` (503 while not ready). Neither needs credentials, so requests
 * that come together share one check: a flood of them would take all database connections. While a store of images on
 * other machines is away the service is ready, but for uploads.
 */
export function healthRoutes(
  server: Server,
  isReady: () => Promise<boolean>,
  areImagesReachable?: () => boolean,
): void {
  let checking: Promise<boolean> | null = null;
  const check = () =>
    (checking ??= isReady().finally(() => {
      checking = null;
    }));
  const images = () => areImagesReachable && { images: areImagesReachable() ? "available" : "unavailable" };
  server.get("/health/live", async () => ({ status: "live" }));
  server.get("/health/ready", async (_request, reply) => {
    const ready = await check();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready", ...images() });
  });
}
