import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** Texts that a person can choose for a new finding to start from. */
@Entity({ name: 'finding_templates' })
export class FindingTemplate extends NumberedRow {
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'int', nullable: true })
  cwe!: number | null;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  md!: string | null;

  /** How to fix it, as Markdown. */
  @Column({ type: 'text', nullable: true })
  remediation!: string | null;

  /** The index in `SEVERITIES`. Null if the template has a vector, from which the severity follows. */
  @Column({ type: 'smallint', nullable: true })
  severity!: number | null;

  @Column({ name: 'cvss_vector', type: 'text', nullable: true })
  cvssVector!: string | null;
}

export type TemplateTexts = Omit<FindingTemplate, 'id' | 'organizationId'>;

/** A template as lists show it. */
export type TemplateName = Pick<FindingTemplate, 'id' | 'name' | 'cwe'>;
