import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';
import type { ActiveTests } from '../domain/active-tests';
import type { AssetType } from '../domain/asset-value';

@Entity({ name: 'assets' })
export class Asset extends NumberedRow {
  /** The beacon that connects the asset; null for the public Internet. */
  @Column({ name: 'beacon_id', type: 'int', nullable: true })
  beaconId!: number | null;

  /** In its one form. */
  @Column({ type: 'text' })
  value!: string;

  @Column({ type: 'text' })
  type!: AssetType;

  @Column({ type: 'int', nullable: true })
  tier!: number | null;

  @Column({ type: 'boolean', default: false })
  tld!: boolean;

  @Column({ type: 'text', nullable: true })
  ip!: string | null;

  @Column({ type: 'text', array: true, default: '{}' })
  services!: string[];

  @Column({ type: 'int', array: true, default: '{}' })
  ports!: number[];

  @Column({ type: 'boolean', default: true })
  observe!: boolean;

  /** Null where no observation is planned. */
  @Column({ name: 'observation_due', type: 'timestamptz', precision: 3, nullable: true, default: () => 'now()' })
  observationDue!: Date | null;

  /** The product that runs there, as a package URL and as a CPE 2.3 formatted string. */
  @Column({ type: 'text', nullable: true })
  purl!: string | null;

  @Column({ type: 'text', nullable: true })
  cpe!: string | null;

  /** In lower case, in alphabetical order. */
  @Column({ type: 'text', array: true, default: '{}' })
  labels!: string[];

  /** The owner is a member of the organization, or one of its groups of members. */
  @Column({ name: 'owner_user_id', type: 'int', nullable: true })
  ownerUserId!: number | null;

  @Column({ name: 'owner_group_id', type: 'int', nullable: true })
  ownerGroupId!: number | null;

  /** What an admin allows. */
  @Column({ name: 'active_tests', type: 'text', default: 'off' })
  activeTests!: ActiveTests;

  /** The pace of all tests of the asset; null for that of the operator. */
  @Column({ name: 'requests_per_second', type: 'int', nullable: true })
  requestsPerSecond!: number | null;

  /** What the proof file is made of. */
  @Column({ name: 'proof_secret', type: 'text', default: () => 'gen_random_uuid()::text || gen_random_uuid()::text' })
  proofSecret!: string;

  /** Until when active jobs run without the file, because the consent is older than this rule. */
  @Column({ name: 'proof_due', type: 'timestamptz', precision: 3, nullable: true })
  proofDue!: Date | null;
  /** Addresses that active jobs may request although of a word, and those that they may not. */
  @Column({ name: 'allowed_paths', type: 'text', array: true, default: '{}' })
  allowedPaths!: string[];

  @Column({ name: 'forbidden_paths', type: 'text', array: true, default: '{}' })
  forbiddenPaths!: string[];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created!: Date;
}
