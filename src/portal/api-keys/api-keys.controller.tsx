import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { ApiKeysService, type KeyWithSecret } from '../../modules/identity';
import { OrganizationsService } from '../../modules/organizations';
import type { Caller } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { ApiKeysPage, type ShownKeys } from './api-keys-page';
import { KeysQuery, NarrowForm, NewKeyForm, RotateForm } from './api-keys.requests';

const MAX_ORGANIZATIONS = 100;

@Controller('settings/api')
export class ApiKeysPageController {
  constructor(
    private readonly config: Config,
    private readonly keys: ApiKeysService,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  show(@CurrentCaller() caller: Caller, @Req() request: PortalRequest, @Query() query: KeysQuery): Promise<Page> {
    return this.page(caller, request, { query });
  }

  @Post()
  @Changes({ operation: 'api_key.create', resource: 'api_key' })
  create(@CurrentCaller() caller: Caller, @Req() request: PortalRequest, @Body() given: GivenForm): Promise<Page> {
    return orShowAgain(
      async () => {
        const { label, scopes, organization: organizationId = null, expires = null } = await given.read(NewKeyForm);
        const created = await this.keys.create(caller, { label, scopes, organizationId, expires });
        return this.page(caller, request, { created });
      },
      (problem) => this.page(caller, request, { given, problem }),
    );
  }

  @Post(':key_id/rotate')
  @Changes({ operation: 'api_key.rotate', resource: 'api_key', id: 'key_id' })
  rotate(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @PathId('key_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { overlap_hours: overlap } = await given.read(RotateForm);
        return this.page(caller, request, { created: await this.keys.rotate(caller, id, overlap) });
      },
      (problem) => this.page(caller, request, { problem }),
    );
  }

  @Post(':key_id/narrow')
  @Changes({ operation: 'api_key.narrow', resource: 'api_key', id: 'key_id' })
  narrow(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @PathId('key_id') id: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        const { scopes } = await given.read(NarrowForm);
        await this.keys.narrow(caller, id, scopes);
        return new SeeOther('/settings/api');
      },
      (problem) => this.page(caller, request, { problem }),
    );
  }

  @Post(':key_id/revoke')
  @Changes({ operation: 'api_key.revoke', resource: 'api_key', id: 'key_id' })
  revoke(
    @CurrentCaller() caller: Caller,
    @Req() request: PortalRequest,
    @PathId('key_id') id: number,
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        await this.keys.revoke(caller, id);
        return new SeeOther('/settings/api');
      },
      (problem) => this.page(caller, request, { problem }),
    );
  }

  private async page(
    caller: Caller,
    request: PortalRequest,
    {
      query = new KeysQuery(),
      ...shown
    }: Pick<ShownKeys, 'given' | 'problem'> & {
      readonly query?: KeysQuery;
      readonly created?: KeyWithSecret;
    },
  ): Promise<Page> {
    const page = query.slice;
    const slice = await this.keys.list(caller, page);
    const { items: organizations } = await this.organizations.list(caller.scope, {
      page: 1,
      perPage: MAX_ORGANIZATIONS,
    });
    const suggestions = new Map(slice.items.map((key) => [key.id, this.keys.suggestedScopes(key)]));
    const url = request.method === 'GET' ? request.originalUrl : '/settings/api';
    const apiUrl = this.apiUrl(request);
    return new Page(
      'Settings',
      <ApiKeysPage {...{ ...shown, page, slice, organizations, suggestions, url, apiUrl }} />,
      'settings',
      { tabTitle: 'API keys' },
    );
  }

  /** For the example with the new key. */
  private apiUrl(request: PortalRequest): string {
    const { API_URL, BASE_PATH, PORT } = this.config;
    if (API_URL !== undefined) return API_URL;
    return `${request.protocol}://${request.hostname}:${PORT}${BASE_PATH}`;
  }
}
