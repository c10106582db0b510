import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A logout token that was used. */
@Entity({ name: 'provider_logouts' })
export class ProviderLogout {
  @PrimaryColumn({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz', precision: 3 })
  expires!: Date;
}
