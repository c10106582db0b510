import { Injectable } from '@nestjs/common';
import { notFound, unprocessable } from '../../../kernel/domain-error';
import { type Severity, severityNumber } from '../../../kernel/severity';
import type { Caller } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { OrganizationsService } from '../../organizations';
import type { FindingTemplate, TemplateName, TemplateTexts } from '../data/finding-template.entity';
import { severityOfFinding } from '../domain/severity-of-finding';
import { FindingTemplatesRepository } from './data/finding-templates.repository';

const MAX_TEMPLATES = 200;

export const MAX_TEMPLATE_NAME_LENGTH = 80;

export type TemplateDraft = Omit<TemplateTexts, 'severity'> & { readonly severity: Severity | null };

/** The text templates of an organization that new findings can start from. */
@Injectable()
export class FindingTemplatesService {
  constructor(
    private readonly templates: FindingTemplatesRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** By name. */
  async list(scope: Scope, organizationId: number): Promise<TemplateName[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.templates.listOf(id);
  }

  async get(scope: Scope, organizationId: number, id: number): Promise<FindingTemplate> {
    const organization = await this.organizations.get(scope, organizationId);
    return this.ofVisible(organization.id, id);
  }

  async create(caller: Caller, organizationId: number, draft: TemplateDraft): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    const texts = textsOf(draft);
    if ((await this.templates.listOf(owner)).length >= MAX_TEMPLATES)
      throw unprocessable(`The organization has ${MAX_TEMPLATES} templates, which is the limit. Delete one first.`);
    const id = await this.templates.add(owner, texts);
    this.unitOfWork.note({ resourceId: String(id), metadata: { name: draft.name } });
  }

  async change(caller: Caller, organizationId: number, id: number, draft: TemplateDraft): Promise<void> {
    const from = await this.ofVisible(await this.lock(caller, organizationId), id);
    const to = textsOf(draft);
    const changed = (Object.keys(to) as (keyof TemplateTexts)[]).filter((field) => from[field] !== to[field]);
    this.unitOfWork.note({ metadata: { name: from.name, changed } });
    await this.templates.save(from, to);
  }

  async remove(caller: Caller, organizationId: number, id: number): Promise<void> {
    const template = await this.ofVisible(await this.lock(caller, organizationId), id);
    this.unitOfWork.note({ metadata: { name: template.name } });
    await this.templates.remove(template);
  }

  private async ofVisible(organizationId: number, id: number): Promise<FindingTemplate> {
    const found = await this.templates.find(organizationId, id);
    if (found === undefined) throw notFound('Template');
    return found;
  }

  private async lock(caller: Caller, organizationId: number): Promise<number> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    caller.requireRole('admin', id);
    return id;
  }
}

/** If a vector is given, the severity must be the one that follows from it. */
function textsOf({ severity, ...draft }: TemplateDraft): TemplateTexts {
  const { cvssVector } = draft;
  if (cvssVector !== null) severityOfFinding({ severity, cvssVector });
  return { ...draft, severity: severity === null || cvssVector !== null ? null : severityNumber(severity) };
}
