import type { DataSourceOptions } from "typeorm";
import { Client } from "./entities/client.entity.js";
import { FoodName } from "./entities/food-name.entity.js";
import { Food } from "./entities/food.entity.js";
import { Intake } from "./entities/intake.entity.js";
import { PointTransaction } from "./entities/point-transaction.entity.js";
import { User } from "./entities/user.entity.js";
import { WebhookDelivery } from "./entities/webhook-delivery.entity.js";
import { WebhookEndpoint } from "./entities/webhook-endpoint.entity.js";

/** Connection settings, from the environment. */
export const connection = {
  host: process.env["DB_HOST"]!,
  port: Number(process.env["DB_PORT"]),
  user: process.env["DB_USER"]!,
  password: process.env["DB_PASSWORD"]!,
  database: process.env["DB_NAME"]!,
};

export const databaseOptions: DataSourceOptions = {
  type: "postgres",
  host: connection.host,
  port: connection.port,
  username: connection.user,
  password: connection.password,
  database: connection.database,
  poolSize: 20,
  entities: [Client, User, Food, FoodName, Intake, PointTransaction, WebhookEndpoint, WebhookDelivery],
};
