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
import { Intake } from "./intake.entity.js";
import { WebhookEndpoint } from "./webhook-endpoint.entity.js";

export type DeliveryStatus = "pending" | "delivered" | "failed";

@Entity("webhook_deliveries")
@Index(["intakeId", "sequence"])
export class WebhookDelivery {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Column("uuid")
  endpointId: string;

  @ManyToOne(() => WebhookEndpoint)
  @JoinColumn({ name: "endpointId" })
  endpoint: Relation<WebhookEndpoint>;

  @Column("uuid")
  intakeId: string;

  @ManyToOne(() => Intake)
  @JoinColumn({ name: "intakeId" })
  intake: Relation<Intake>;

  /** Order of the events of an intake. */
  @Column("smallint")
  sequence: number;

  @Column("jsonb")
  payload: object;

  @Column({ type: "varchar", default: "pending" })
  status: DeliveryStatus;

  @Column({ default: 0 })
  attempts: number;

  @Column("int", { nullable: true })
  responseStatus: number | null;

  @Column("varchar", { nullable: true })
  error: string | null;

  @CreateDateColumn({ type: "timestamptz" })
  createdAt: Date;

  @Column("timestamptz", { nullable: true })
  deliveredAt: Date | null;
}
