import { Column, Entity } from 'typeorm';
import { NumberedRow } from '../../../platform/database/tenant-row';

/** What a new finding begins with, if a person chooses it. */
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

  /** The index of its word. A template with a vector has none: it follows from the vector. */
  @Column({ type: 'smallint', nullable: true })
  severity!: number | null;

  @Column({ name: 'cvss_vector', type: 'text', nullable: true })
  cvssVector!: string | null;
}

export type TemplateTexts = Omit<FindingTemplate, 'id' | 'organizationId'>;

/** One of a list. */
export type TemplateName = Pick<FindingTemplate, 'id' | 'name' | 'cwe'>;
