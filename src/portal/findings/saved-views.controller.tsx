import { Body, Controller, Get, Post, Redirect, Res } from '@nestjs/common';
import type { Response } from 'express';
import { SavedViewsService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SEE_OTHER } from '../frame/page';
import { setNotice } from '../http/notice';
import { Changes } from '../http/route-metadata';
import { canonicalQuery } from './findings.requests';
import { findingsUrlOf } from './findings-url';
import { RenameViewForm, SaveViewForm } from './saved-views.requests';
import { SavedViewsPage } from './saved-views-page';

interface Redirection {
  readonly url: string;
}

const viewsUrl = (organizationId: number): string => `/o/${organizationId}/findings/views`;

/** The views of the list of findings that the user has saved. */
@Controller('o/:organization/findings/views')
export class SavedViewsController {
  constructor(private readonly views: SavedViewsService) {}

  @Get()
  async show(@CurrentCaller() caller: Caller, @PathId('organization') organizationId: number): Promise<Page> {
    const views = await this.views.list(caller, organizationId);
    return new Page('Saved views', <SavedViewsPage {...{ organizationId, views }} />, 'findings');
  }

  @Post()
  @Redirect(undefined, SEE_OTHER)
  @Changes({ operation: 'saved_view.create', resource: 'saved_view' })
  async save(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() { name, query = '' }: SaveViewForm,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Redirection> {
    const canonical = await canonicalQuery(query);
    await this.views.create(caller, organizationId, { name, query: canonical });
    setNotice(response, `The view "${name}" was saved.`);
    return { url: findingsUrlOf(organizationId, canonical) };
  }

  @Post(':view_id/rename')
  @Redirect(undefined, SEE_OTHER)
  @Changes({ operation: 'saved_view.rename', resource: 'saved_view', id: 'view_id' })
  async rename(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('view_id') id: number,
    @Body() { name }: RenameViewForm,
  ): Promise<Redirection> {
    await this.views.rename(caller, organizationId, id, name);
    return { url: viewsUrl(organizationId) };
  }

  @Post(':view_id/delete')
  @Redirect(undefined, SEE_OTHER)
  @Changes({ operation: 'saved_view.delete', resource: 'saved_view', id: 'view_id' })
  async remove(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('view_id') id: number,
  ): Promise<Redirection> {
    await this.views.remove(caller, organizationId, id);
    return { url: viewsUrl(organizationId) };
  }
}
