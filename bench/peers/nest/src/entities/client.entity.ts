import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from "typeorm";

@Entity("clients")
export class Client {
  @PrimaryGeneratedColumn("uuid")
  id: string;

  @Column({ unique: true })
  clientId: string;

  /** SHA-256 of the secret, in hex. */
  @Column()
  secretHash: string;

  @CreateDateColumn({ type: "timestamptz" })
  createdAt: Date;
}
