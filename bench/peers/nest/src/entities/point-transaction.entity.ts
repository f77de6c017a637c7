import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryGeneratedColumn,
  type Relation,
} from "typeorm";
import type { ScoredFood } from "../scoring/scored-food.js";
import { Intake } from "./intake.entity.js";
import { User } from "./user.entity.js";

@Entity("point_transactions")
@Index(["userId", "createdAt"])
export class PointTransaction {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Column("uuid")
  userId: string;

  @ManyToOne(() => User)
  @JoinColumn({ name: "userId" })
  user: Relation<User>;

  @Column("uuid", { unique: true })
  intakeId: string;

  @ManyToOne(() => Intake)
  @JoinColumn({ name: "intakeId" })
  intake: Relation<Intake>;

  @Column()
  points: number;

  @Column()
  healthPoints: number;

  @Column()
  carbonPoints: number;

  @Column("jsonb")
  items: ScoredFood[];

  @CreateDateColumn({ type: "timestamptz" })
  createdAt: Date;
}
