import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Intake } from "../entities/intake.entity.js";
import { PointTransaction } from "../entities/point-transaction.entity.js";
import { User } from "../entities/user.entity.js";
import {
  awardedPayload,
  completedPayload,
  failedPayload,
  receivedPayload,
  scoredPayload,
} from "../webhooks/payloads.js";
import { WebhooksService } from "../webhooks/webhooks.service.js";
import { FoodsService } from "./foods.service.js";
import { rate } from "./rating.js";
import type { ScoredFood } from "./scored-food.js";

@Injectable()
export class ScoringService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly foods: FoodsService,
    private readonly webhooks: WebhooksService,
  ) {}

  /** Rates the food and books its points. A repeated job finds it finished, and only sends what was not delivered. */
  async score(intakeId: string): Promise<void> {
    const intake = await this.dataSource.manager.findOneBy(Intake, { id: intakeId, status: "received" });
    if (intake) {
      const food = await this.foods.findByName(intake.submission.name);
      await this.dataSource.transaction(async (manager) => {
        const payloads = food
          ? await this.complete(intake, rate(food, intake.submission), manager)
          : await this.fail(intake, manager);
        await this.webhooks.store(intake, payloads, manager);
      });
    }
    await this.webhooks.deliver(intakeId);
  }

  private async complete(intake: Intake, scored: ScoredFood, manager: EntityManager): Promise<object[]> {
    const { affected } = await manager.update(
      Intake,
      { id: intake.id, status: "received" },
      { status: "completed", result: scored },
    );
    // Another worker was faster.
    if (affected !== 1) return [];
    const transaction = await manager.save(
      manager.create(PointTransaction, {
        userId: intake.userId,
        intakeId: intake.id,
        points: scored.totalPoints,
        healthPoints: scored.totalHealthPoints,
        carbonPoints: scored.totalCarbonPoints,
        items: [scored],
      }),
    );
    const user = await manager.findOneOrFail(User, {
      where: { id: intake.userId },
      lock: { mode: "pessimistic_write" },
    });
    user.availablePoints += scored.totalPoints;
    user.lifetimePoints += scored.totalPoints;
    await manager.save(user);
    const payloads = [receivedPayload(intake), scoredPayload(intake, scored), completedPayload(intake, scored)];
    if (scored.totalPoints > 0) payloads.push(awardedPayload(user, transaction));
    return payloads;
  }

  private async fail(intake: Intake, manager: EntityManager): Promise<object[]> {
    const { affected } = await manager.update(
      Intake,
      { id: intake.id, status: "received" },
      { status: "failed", errorType: "NO_VALID_FOOD_ITEMS" },
    );
    return affected === 1
      ? [receivedPayload(intake), failedPayload({ ...intake, errorType: "NO_VALID_FOOD_ITEMS" })]
      : [];
  }
}
