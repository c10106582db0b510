import { Column, Entity } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';
import type { KeyScope } from '../../../platform/api/caller';
import type { Requirement } from '../domain/sign-in-rules';

/** What an organization requires of the sign-ins, sessions and API keys of its members. */
@Entity({ name: 'sign_in_rules' })
export class SignInRules extends TenantRow {
  @Column({ name: 'second_factor', type: 'text' })
  secondFactor!: Requirement;

  /** Until then members may come in without it; null for at once. */
  @Column({ name: 'second_factor_from', type: 'timestamptz', precision: 3, nullable: true })
  secondFactorFrom!: Date | null;

  /** A session ends when it was not used for this time. Null for the default. */
  @Column({ name: 'idle_minutes', type: 'int', nullable: true })
  idleMinutes!: number | null;

  /** A session ends this long after the sign-in. Null for the default. */
  @Column({ name: 'session_minutes', type: 'int', nullable: true })
  sessionMinutes!: number | null;

  /** The longest life of API keys. */
  @Column({ name: 'key_days', type: 'int', nullable: true })
  keyDays!: number | null;

  /** The scopes that API keys may have. Null for all. */
  @Column({ name: 'key_scopes', type: 'text', array: true, nullable: true })
  allowedScopes!: KeyScope[] | null;
}
