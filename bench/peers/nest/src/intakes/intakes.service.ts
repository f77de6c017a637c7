import { ConflictException, Injectable, NotFoundException } from "@nestjs/common";
import { DataSource, QueryFailedError } from "typeorm";
import type { Client } from "../entities/client.entity.js";
import { Intake } from "../entities/intake.entity.js";
import { User } from "../entities/user.entity.js";
import { QueueService } from "../queue/queue.service.js";
import type { TrackFoodDto } from "./track-food.dto.js";

const UNIQUE_VIOLATION = "23505";

@Injectable()
export class IntakesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: QueueService,
  ) {}

  /** Stores the food and the job that scores it in one transaction. */
  async trackFood(client: Client, dto: TrackFoodDto): Promise<Intake> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const user = await manager.findOneBy(User, { id: dto.userId, clientId: client.id });
        if (!user) throw new NotFoundException("There is no such user.");
        const intake = manager.create(Intake, {
          clientId: client.id,
          userId: user.id,
          transactionId: dto.transactionId,
          submission: dto,
        });
        await manager.save(intake);
        await this.queue.sendScoreIntake({ intakeId: intake.id }, manager);
        return intake;
      });
    } catch (error) {
      if (error instanceof QueryFailedError && error.driverError.code === UNIQUE_VIOLATION)
        throw new ConflictException("This transactionId was used before.");
      throw error;
    }
  }
}
