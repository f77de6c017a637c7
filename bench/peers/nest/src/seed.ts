// Creates the tables, and stores a client, its endpoint, its users and the catalogue, which come as JSON on stdin.
import "reflect-metadata";
import { createHash, randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { DataSource } from "typeorm";
import { databaseOptions } from "./database.js";
import { Client } from "./entities/client.entity.js";
import { FoodName } from "./entities/food-name.entity.js";
import { Food } from "./entities/food.entity.js";
import { User } from "./entities/user.entity.js";
import { WebhookEndpoint } from "./entities/webhook-endpoint.entity.js";

interface Seed {
  webhookUrl: string;
  users: number;
  foods: (Food & { names: string[] })[];
}

const { webhookUrl, users, foods } = JSON.parse(await text(process.stdin)) as Seed;
const dataSource = await new DataSource({ ...databaseOptions, synchronize: true }).initialize();
const { manager } = dataSource;
const clientSecret = randomBytes(32).toString("base64url");
const client = await manager.save(
  manager.create(Client, {
    clientId: randomBytes(12).toString("hex"),
    secretHash: createHash("sha256").update(clientSecret).digest("hex"),
  }),
);
await manager.save(
  manager.create(WebhookEndpoint, {
    clientId: client.id,
    url: webhookUrl,
    secret: randomBytes(32).toString("base64"),
  }),
);
const saved = await manager.save(Array.from({ length: users }, () => manager.create(User, { clientId: client.id })));
const names = new Map(foods.flatMap(({ id, names }) => names.map((name) => [name, { name, foodId: id }])));
for (let at = 0; at < foods.length; at += 500)
  await manager.insert(Food, foods.slice(at, at + 500).map(({ names: _names, ...food }) => food)); // prettier-ignore
for (let rows = [...names.values()]; rows.length > 0;) await manager.insert(FoodName, rows.splice(0, 1_000));
await dataSource.destroy();
console.log(JSON.stringify({ clientId: client.clientId, clientSecret, userIds: saved.map(({ id }) => id) }));
