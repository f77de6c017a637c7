import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { FoodName } from "../entities/food-name.entity.js";
import { WebhooksModule } from "../webhooks/webhooks.module.js";
import { FoodsService } from "./foods.service.js";
import { ScoringService } from "./scoring.service.js";
import { ScoringWorker } from "./scoring.worker.js";

@Module({
  imports: [TypeOrmModule.forFeature([FoodName]), WebhooksModule],
  providers: [FoodsService, ScoringService, ScoringWorker],
})
export class ScoringModule {}
