import { createHmac } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import axios, { isAxiosError } from "axios";
import { type EntityManager, Repository } from "typeorm";
import type { Intake } from "../entities/intake.entity.js";
import { WebhookDelivery } from "../entities/webhook-delivery.entity.js";
import { WebhookEndpoint } from "../entities/webhook-endpoint.entity.js";

const TIMEOUT_MS = 10_000;

@Injectable()
export class WebhooksService {
  private readonly client = axios.create({
    timeout: TIMEOUT_MS,
    maxRedirects: 0,
    httpAgent: new http.Agent({ keepAlive: true }),
    httpsAgent: new https.Agent({ keepAlive: true }),
  });

  constructor(@InjectRepository(WebhookDelivery) private readonly deliveries: Repository<WebhookDelivery>) {}

  /** Stores a delivery for each payload and endpoint, in the transaction of `manager`. */
  async store(intake: Intake, payloads: object[], manager: EntityManager): Promise<void> {
    const endpoints = await manager.findBy(WebhookEndpoint, { clientId: intake.clientId });
    const deliveries = endpoints.flatMap((endpoint) =>
      payloads.map((payload, sequence) =>
        manager.create(WebhookDelivery, { endpointId: endpoint.id, intakeId: intake.id, sequence, payload }),
      ),
    );
    await manager.save(deliveries);
  }

  /** Sends what was not delivered yet, in order. Throws at the first failure: the job is then retried. */
  async deliver(intakeId: string): Promise<void> {
    const pending = await this.deliveries.find({
      where: { intakeId, status: "pending" },
      order: { sequence: "ASC" },
      relations: { endpoint: true },
    });
    for (const delivery of pending) await this.attempt(delivery);
  }

  private async attempt(delivery: WebhookDelivery): Promise<void> {
    const attempts = delivery.attempts + 1;
    try {
      const { status } = await this.post(delivery);
      await this.deliveries.update(delivery.id, {
        status: "delivered",
        attempts,
        responseStatus: status,
        deliveredAt: new Date(),
      });
    } catch (error) {
      await this.deliveries.update(delivery.id, {
        attempts,
        responseStatus: (isAxiosError(error) && error.response?.status) || null,
        error: error instanceof Error ? error.message : String(error),
      });
      throw error;
    }
  }

  private post({ id, payload, endpoint }: WebhookDelivery) {
    const body = JSON.stringify(payload);
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac("sha256", endpoint.secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return this.client.post(endpoint.url, body, {
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": `v1,${signature}`,
      },
    });
  }
}
