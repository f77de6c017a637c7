import { Module } from "@nestjs/common";
import { TypeOrmModule } from "@nestjs/typeorm";
import { databaseOptions } from "./database.js";
import { HealthController } from "./health.controller.js";
import { IntakesModule } from "./intakes/intakes.module.js";
import { QueueModule } from "./queue/queue.module.js";
import { ScoringModule } from "./scoring/scoring.module.js";

@Module({
  imports: [TypeOrmModule.forRoot(databaseOptions), QueueModule, IntakesModule, ScoringModule],
  controllers: [HealthController],
})
export class AppModule {}
