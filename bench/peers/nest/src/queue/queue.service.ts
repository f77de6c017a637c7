import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from "@nestjs/common";
import { PgBoss } from "pg-boss";
import type { EntityManager } from "typeorm";
import { connection } from "../database.js";

export const SCORE_INTAKE = "score-intake";

export interface ScoreIntakeJob {
  intakeId: string;
}

@Injectable()
export class QueueService implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(QueueService.name);
  private readonly boss = new PgBoss(connection);

  async onModuleInit(): Promise<void> {
    this.boss.on("error", (error) => this.logger.error(error));
    await this.boss.start();
    await this.boss.createQueue(SCORE_INTAKE, { retryLimit: 5, retryBackoff: true });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: 3_000 });
  }

  /** Sends a job in the transaction of `manager`. */
  async sendScoreIntake(job: ScoreIntakeJob, manager: EntityManager): Promise<void> {
    const executeSql = async (text: string, values?: unknown[]) => ({ rows: await manager.query(text, values) });
    await this.boss.send(SCORE_INTAKE, job, { db: { executeSql } });
  }

  async workScoreIntake(handle: (job: ScoreIntakeJob) => Promise<void>): Promise<void> {
    // A worker fetches up to ten jobs with one query; each of them is handled by itself.
    const options = { batchSize: 10, localConcurrency: 2, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
    await this.boss.work<ScoreIntakeJob>(SCORE_INTAKE, options, async (jobs) => {
      await Promise.all(jobs.map(({ data }) => handle(data)));
    });
  }
}
