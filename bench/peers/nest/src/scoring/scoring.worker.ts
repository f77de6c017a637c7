import { Injectable, type OnApplicationBootstrap } from "@nestjs/common";
import { QueueService } from "../queue/queue.service.js";
import { ScoringService } from "./scoring.service.js";

@Injectable()
export class ScoringWorker implements OnApplicationBootstrap {
  constructor(
    private readonly queue: QueueService,
    private readonly scoring: ScoringService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (process.env["ROLE"] === "serve") return;
    await this.queue.workScoreIntake(({ intakeId }) => this.scoring.score(intakeId));
  }
}
