import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  Unique,
  UpdateDateColumn,
  type Relation,
} from "typeorm";
import type { TrackFoodDto } from "../intakes/track-food.dto.js";
import type { ScoredFood } from "../scoring/scored-food.js";
import { Client } from "./client.entity.js";
import { User } from "./user.entity.js";

export type IntakeStatus = "received" | "completed" | "failed";

@Entity("intakes")
@Unique(["clientId", "transactionId"])
@Index(["userId", "createdAt"])
export class Intake {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Column("uuid")
  clientId: string;

  @ManyToOne(() => Client)
  @JoinColumn({ name: "clientId" })
  client: Relation<Client>;

  @Column("uuid")
  userId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column()
  transactionId: string;

  @Column({ type: "varchar", default: "received" })
  status: IntakeStatus;

  @Column("jsonb")
  submission: TrackFoodDto;

  @Column("jsonb", { nullable: true })
  result: ScoredFood | null;

  @Column("varchar", { nullable: true })
  errorType: string | null;

  @CreateDateColumn({ type: "timestamptz" })
  createdAt: Date;

  @UpdateDateColumn({ type: "timestamptz" })
  updatedAt: Date;
}
