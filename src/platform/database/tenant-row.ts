import { PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A row of an organization, whose id is part of each key, so that no reference leads to another organization. */
export abstract class TenantRow {
  @PrimaryColumn({ name: 'organization_id', type: 'int' })
  organizationId!: number;
}

export abstract class NumberedRow extends TenantRow {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'BY DEFAULT' })
  id!: number;
}
