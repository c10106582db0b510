import { Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantRow } from '../../../platform/database/tenant-row';

/** Texts about a finding that people wrote, besides its description. Most findings have none. */
@Entity({ name: 'finding_texts' })
export class FindingTexts extends TenantRow {
  @PrimaryColumn({ name: 'finding_id', type: 'int' })
  findingId!: number;

  @Column({ name: 'remediation_md', type: 'text', nullable: true })
  remediationMd!: string | null;

  @Column({ name: 'remediation_html', type: 'text', nullable: true })
  remediationHtml!: string | null;

  /** Evidence that a person pasted: no check has seen it, and no signature covers it. */
  @Column({ type: 'text', nullable: true })
  evidence!: string | null;

  /** The user who pasted it. */
  @Column({ name: 'evidence_by', type: 'int', nullable: true })
  evidenceBy!: number | null;

  @Column({ name: 'evidence_at', type: 'timestamptz', precision: 3, nullable: true })
  evidenceAt!: Date | null;

  /** The description from a check or a file, while a person's description is pinned. */
  @Column({ name: 'stated_md', type: 'text', nullable: true })
  statedMd!: string | null;

  @Column({ name: 'stated_html', type: 'text', nullable: true })
  statedHtml!: string | null;
}
