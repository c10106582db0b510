import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An identity that a session was opened with. */
@Entity({ name: 'session_identities' })
export class SessionIdentity {
  @PrimaryColumn({ name: 'session_id', type: 'int' })
  sessionId!: number;

  @PrimaryColumn({ name: 'identity_id', type: 'int' })
  identityId!: number;

  /** The session at the provider, which a logout names. */
  @Column({ type: 'text', nullable: true })
  sid!: string | null;
}
