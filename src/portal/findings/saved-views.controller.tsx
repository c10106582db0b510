import { Body, Controller, Get } from '@nestjs/common';
import { Name, Text } from '../../platform/http/fields';
import { SavedViewsService, MAX_VIEW_NAME_LENGTH } from '../../modules/findings';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingsUrlOf, viewsUrl } from '../urls';
import { canonicalQuery } from './findings.requests';
import { SavedViewsPage } from './saved-views-page';

class RenameViewForm {
  @Name(MAX_VIEW_NAME_LENGTH)
  name!: string;
}

class SaveViewForm extends RenameViewForm {
  /** The query string of the list. */
  @Text(0, 2_000, { optional: true })
  query?: string;
}

/** The views of the list of findings that the user has saved. */
@Controller('o/:organization/findings/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    const views = await this.views.list(caller, organizationId);
    return new Page('Saved views', <SavedViewsPage {...{ organizationId, views }} />, 'findings');
  }

  @PostChange('', { operation: 'saved_view.create', resource: 'saved_view' })
  async save(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { name, query = '' }: SaveViewForm,
  ): Promise<SeeOther> {
    const canonical = await canonicalQuery(query);
    await this.views.create(caller, organizationId, { name, query: canonical });
    return new SeeOther(findingsUrlOf(organizationId, canonical), `The view "${name}" was saved.`);
  }

  @PostChange(':view_id/rename', { operation: 'saved_view.rename', resource: 'saved_view', id: 'view_id' })
  async rename(
    @InOrganization('view_id') { caller, organizationId, id }: RecordPlace,
    @Body() { name }: RenameViewForm,
  ): Promise<SeeOther> {
    await this.views.rename(caller, organizationId, id, name);
    return new SeeOther(viewsUrl(organizationId));
  }

  @PostChange(':view_id/delete', { operation: 'saved_view.delete', resource: 'saved_view', id: 'view_id' })
  async remove(@InOrganization('view_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.views.remove(caller, organizationId, id);
    return new SeeOther(viewsUrl(organizationId));
  }
}
