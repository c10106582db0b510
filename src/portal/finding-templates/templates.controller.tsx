import { Body, Controller, Get, Post } from '@nestjs/common';
import { FindingTemplatesService } from '../../modules/findings';
import { NewLink } from '../frame/new-link';
import { Page, SeeOther } from '../frame/page';
import { Settings } from '../frame/settings-tabs';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { newTemplateUrl, templatesUrl, templateUrl } from '../urls';
import { TemplateFields, TemplatePage, TemplatesPage } from './template-pages';
import { TemplateForm } from './templates.requests';

/** The templates that new findings begin with. */
@Controller('o/:organization/settings/findings/templates')
export class TemplatesController {
  constructor(private readonly templates: FindingTemplatesService) {}

  @Get()
  async list(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    const templates = await this.templates.list(caller.scope, organizationId);
    return new Page('Templates', <TemplatesPage {...{ organizationId, templates }} />, 'settings', {
      ...(caller.hasRole('admin', organizationId) && {
        actions: <NewLink href={newTemplateUrl(organizationId)} label="New template" />,
      }),
    });
  }

  @Get('new')
  form(@InOrganization() { caller, organizationId }: Place): Page {
    caller.requireRole('admin', organizationId);
    const form = <TemplateFields action={templatesUrl(organizationId)} />;
    return new Page('New template', <Settings current="findings">{form}</Settings>, 'settings');
  }

  @PostChange('', { operation: 'finding_template.create', resource: 'finding_template' })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { draft }: TemplateForm,
  ): Promise<SeeOther> {
    await this.templates.create(caller, organizationId, draft);
    return new SeeOther(templatesUrl(organizationId), 'The template was created.');
  }

  @Get(':template_id')
  async show(@InOrganization('template_id') { caller, organizationId, id }: RecordPlace): Promise<Page> {
    const template = await this.templates.get(caller.scope, organizationId, id);
    const mayChange = caller.hasRole('admin', organizationId);
    const mayUse = caller.hasRole('member', organizationId);
    return new Page(template.name, <TemplatePage {...{ template, mayChange, mayUse }} />, 'settings');
  }

  @PostChange(':template_id', { operation: 'finding_template.change', resource: 'finding_template', id: 'template_id' })
  async change(
    @InOrganization('template_id') { caller, organizationId, id }: RecordPlace,
    @Body() { draft }: TemplateForm,
  ): Promise<SeeOther> {
    await this.templates.change(caller, organizationId, id, draft);
    return new SeeOther(templateUrl(organizationId, id), 'The template was saved.');
  }

  @Post(':template_id/delete')
  @Changes({ operation: 'finding_template.delete', resource: 'finding_template', id: 'template_id' })
  async delete(@InOrganization('template_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.templates.remove(caller, organizationId, id);
    return new SeeOther(templatesUrl(organizationId), 'The template was deleted.');
  }
}
