import { Injectable } from '@nestjs/common';
import { conflict } from '../../../../kernel/domain-error';
import { Database } from '../../../../platform/database/database';
import { onViolation } from '../../../../platform/database/database-errors';
import { sql } from '../../../../platform/database/sql';
import { FindingTemplate, type TemplateName, type TemplateTexts } from '../../data/finding-template.entity';

const nameTaken = () => conflict('name is that of another template of the organization. Choose another name.');

/** The caller has checked that it may see the organization. */
@Injectable()
export class FindingTemplatesRepository {
  private readonly columns = this.database.columns(FindingTemplate, 't');

  constructor(private readonly database: Database) {}

  /** By name, without the texts. */
  listOf(organizationId: number): Promise<TemplateName[]> {
    return this.database.shortRows<TemplateName>(sql`
      SELECT t.id, t.name, t.cwe FROM finding_templates t
      WHERE t.organization_id = ${organizationId} ORDER BY t.name`);
  }

  find(organizationId: number, id: number): Promise<FindingTemplate | undefined> {
    return this.database.shortRow<FindingTemplate>(sql`
      SELECT ${this.columns} FROM finding_templates t WHERE t.id = ${id} AND t.organization_id = ${organizationId}`);
  }

  async add(organizationId: number, texts: TemplateTexts): Promise<number> {
    const repository = await this.database.repository(FindingTemplate);
    const inserted = repository.insert({ organizationId, ...texts });
    const { identifiers } = await onViolation(inserted, { uq_finding_templates_name: nameTaken });
    return (identifiers[0] as { id: number }).id;
  }

  async save({ organizationId, id }: FindingTemplate, texts: TemplateTexts): Promise<void> {
    const repository = await this.database.repository(FindingTemplate);
    const updated = repository.update({ id, organizationId }, texts);
    await onViolation(updated, { uq_finding_templates_name: nameTaken });
  }

  async remove({ organizationId, id }: FindingTemplate): Promise<void> {
    const repository = await this.database.repository(FindingTemplate);
    await repository.delete({ id, organizationId });
  }
}
