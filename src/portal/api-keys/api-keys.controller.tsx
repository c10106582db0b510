import { Body, Controller, Get, Post, Query, Redirect, Req } from '@nestjs/common';
import { ApiKeysService, type KeyWithSecret } from '../../modules/identity';
import { OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SEE_OTHER } from '../frame/page';
import { apiUrlFor } from '../http/api-url';
import { OverlapForm } from '../http/overlap-form';
import type { PortalRequest } from '../http/portal-request';
import { Changes, PostChange } from '../http/route-metadata';
import { ApiKeysPage } from './api-keys-page';
import { KeysQuery, NarrowForm, NewKeyForm } from './api-keys.requests';

const PAGE = '/settings/api';
const MAX_ORGANIZATIONS = 100;

@Controller(PAGE)
export class ApiKeysPageController {
  constructor(
    private readonly config: Config,
    private readonly keys: ApiKeysService,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  show(@CurrentCaller() caller: Caller, @Req() request: PortalRequest, @Query() query: KeysQuery): Promise<Page> {
    return this.page(caller, request, query);
  }

  @PostChange('', { operation: 'api_key.create', resource: 'api_key' })
  async create(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @Body() { label, scopes, organization, expires }: NewKeyForm,
  ): Promise<Page> {
    const created = await this.keys.create(caller, {
      label,
      scopes,
      organizationId: organization ?? null,
      expires: expires ?? null,
    });
    return this.page(caller, request, new KeysQuery(), created);
  }

  @PostChange(':key_id/rotate', { operation: 'api_key.rotate', resource: 'api_key', id: 'key_id' })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @PathId('key_id') id: number,
    @Body() { overlap_hours: overlap }: OverlapForm,
  ): Promise<Page> {
    return this.page(caller, request, new KeysQuery(), await this.keys.rotate(caller, id, overlap));
  }

  @Post(':key_id/narrow')
  @Redirect(PAGE, SEE_OTHER)
  @Changes({ operation: 'api_key.narrow', resource: 'api_key', id: 'key_id' })
  async narrow(
    @CurrentCaller() caller: Caller,
    @PathId('key_id') id: number,
    @Body() { scopes }: NarrowForm,
  ): Promise<void> {
    await this.keys.narrow(caller, id, scopes);
  }

  @Post(':key_id/keep')
  @Redirect(PAGE, SEE_OTHER)
  @Changes({ operation: 'api_key.keep', resource: 'api_key', id: 'key_id' })
  async keep(@CurrentCaller() caller: Caller, @PathId('key_id') id: number): Promise<void> {
    await this.keys.keep(caller, id);
  }

  @Post(':key_id/revoke')
  @Redirect(PAGE, SEE_OTHER)
  @Changes({ operation: 'api_key.revoke', resource: 'api_key', id: 'key_id' })
  async revoke(@CurrentCaller() caller: Caller, @PathId('key_id') id: number): Promise<void> {
    await this.keys.revoke(caller, id);
  }

  private async page(caller: Caller, request: PortalRequest, query: KeysQuery, created?: KeyWithSecret): Promise<Page> {
    const page = query.slice;
    const slice = await this.keys.list(caller, page);
    const { items: organizations } = await this.organizations.list(caller.scope, {
      page: 1,
      perPage: MAX_ORGANIZATIONS,
    });
    const suggestions = new Map(slice.items.map((key) => [key.id, this.keys.suggestedScopes(key)]));
    const isIntegrator = caller.integrator !== null;
    const url = request.method === 'GET' ? request.originalUrl : PAGE;
    const apiUrl = apiUrlFor(this.config, request);
    return new Page(
      'Settings',
      <ApiKeysPage {...{ created, page, slice, organizations, isIntegrator, suggestions, url, apiUrl, query }} />,
      'settings',
      { tabTitle: 'API keys' },
    );
  }
}
