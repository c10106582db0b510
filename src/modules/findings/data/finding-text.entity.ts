import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a search reads of a finding. Triggers write it, and no code of ours. */
@Entity({ name: 'finding_texts' })
export class FindingText {
  @PrimaryColumn({ name: 'organization_id', type: 'int', primaryKeyConstraintName: 'pk_finding_texts' })
  organizationId!: number;

  @PrimaryColumn({ name: 'finding_id', type: 'int', primaryKeyConstraintName: 'pk_finding_texts' })
  findingId!: number;

  @Column({ name: 'assignee_id', type: 'int', nullable: true })
  assigneeId!: number | null;

  /** In lower case: title and asset, check, CVEs, CWE and labels, and the words of scripts without spaces. */
  @Column({ type: 'text' })
  searched!: string;

  /** The description in lower case, with one space before each word. */
  @Column({ type: 'text' })
  words!: string;
}

/** One row while findings from before an upgrade have no texts. */
@Entity({ name: 'finding_text_filling' })
export class FindingTextFilling {
  @PrimaryColumn({
    name: 'only_row',
    type: 'boolean',
    default: true,
    primaryKeyConstraintName: 'pk_finding_text_filling',
  })
  onlyRow!: boolean;

  /** Findings above this id have their texts. */
  @Column({ name: 'next_id', type: 'int' })
  nextId!: number;
}
