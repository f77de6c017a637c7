import { parentPort } from "node:worker_threads";
import reference from "@scalar/fastify-api-reference";
import Fastify from "fastify";
import { staticAsset } from "./static-asset.ts";

// The package offers its script only as a route of a plugin.
const server = Fastify();
await server.register(reference, { routePrefix: "/docs", configuration: { url: "openapi.json" } });
const { statusCode, body } = await server.inject("/docs/js/scalar.js");
if (statusCode !== 200) throw new Error(`@scalar/fastify-api-reference has no /js/scalar.js: status ${statusCode}`);
parentPort!.postMessage(staticAsset(body));
