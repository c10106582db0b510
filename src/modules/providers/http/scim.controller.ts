import {
  All,
  Controller,
  createParamDecorator,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Req,
  Res,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { orThrow } from '../../../kernel/or-throw';
import type { ApiRequest, ApiResponse, ProviderRequest } from '../../../platform/api/api-request';
import { apiUrlOf } from '../../../platform/http/api-url';
import { readJsonBody } from '../../../platform/http/json-body';
import { OpenRoute } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { routeNotFound } from '../../../platform/http/route-errors';
import { parseDraft, parsePatch, parseQuery, parseReplacement } from '../domain/scim-requests';
import {
  listResponse,
  presentScimUser,
  SCIM_PATH,
  type ScimUser,
  serviceProviderConfig,
  userResourceType,
  userSchema,
} from '../domain/scim-resources';
import { notSupported } from '../domain/scim.errors';
import { ScimService } from '../scim.service';
import { ScimErrorFilter } from './scim-error.filter';
import { ScimGuard } from './scim.guard';

const BODY = { maxBytes: 65_536, mediaTypes: ['application/scim+json', 'application/json'] };

/** The provider whose token the request has. */
const FromProvider = createParamDecorator((_data: unknown, context: ExecutionContext): ProviderRequest => {
  const { provider } = context.switchToHttp().getRequest<ApiRequest>();
  if (provider === undefined) throw new Error('a route asks for its provider without ScimGuard');
  return provider;
});

/** SCIM 2.0 (RFC 7643, RFC 7644) for the members of an organization: docs/single-sign-on.md. Not an operation of the API. */
@Controller(SCIM_PATH)
@UseGuards(ScimGuard)
@UseFilters(ScimErrorFilter)
export class ScimController {
  constructor(private readonly scim: ScimService) {}

  @OpenRoute()
  @Get('ServiceProviderConfig')
  config(): object {
    return serviceProviderConfig;
  }

  @OpenRoute()
  @Get('ResourceTypes')
  resourceTypes(): object {
    return listResponse([userResourceType]);
  }

  @OpenRoute()
  @Get('ResourceTypes/:name')
  resourceType(@Param('name') name: string): object {
    return orThrow(name === userResourceType.id ? userResourceType : undefined, routeNotFound);
  }

  @OpenRoute()
  @Get('Schemas')
  schemas(): object {
    return listResponse([userSchema]);
  }

  @OpenRoute()
  @Get('Schemas/:name')
  schema(@Param('name') name: string): object {
    return orThrow(name === userSchema.id ? userSchema : undefined, routeNotFound);
  }

  @OpenRoute()
  @Get('Users')
  async list(@FromProvider() provider: ProviderRequest, @Req() request: ApiRequest): Promise<object> {
    const query = parseQuery(request.query);
    const { users, total } = await this.scim.list(provider, query);
    const shown = users.map((user) => presentScimUser(user, apiUrlOf(request)));
    return listResponse(shown, total, query.startIndex);
  }

  @OpenRoute()
  @Get('Users/:id')
  async get(
    @FromProvider() provider: ProviderRequest,
    @PathId('id') id: number,
    @Req() request: ApiRequest,
  ): Promise<ScimUser> {
    return presentScimUser(await this.scim.get(provider, id), apiUrlOf(request));
  }

  @OpenRoute()
  @Post('Users')
  async create(
    @FromProvider() provider: ProviderRequest,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: ApiResponse,
  ): Promise<ScimUser> {
    const draft = await this.scim.read(provider, request, undefined, async () =>
      parseDraft(await readJsonBody(request, BODY)),
    );
    const user = presentScimUser(await this.scim.create(provider, request, draft), apiUrlOf(request));
    response.setHeader('Location', user.meta.location);
    return user;
  }

  @OpenRoute()
  @Put('Users/:id')
  async replace(
    @FromProvider() provider: ProviderRequest,
    @PathId('id') id: number,
    @Req() request: ApiRequest,
  ): Promise<ScimUser> {
    const change = await this.scim.read(provider, request, id, async () =>
      parseReplacement(await readJsonBody(request, BODY)),
    );
    return presentScimUser(await this.scim.change(provider, request, id, change), apiUrlOf(request));
  }

  @OpenRoute()
  @Patch('Users/:id')
  async patch(
    @FromProvider() provider: ProviderRequest,
    @PathId('id') id: number,
    @Req() request: ApiRequest,
  ): Promise<ScimUser> {
    const change = await this.scim.read(provider, request, id, async () =>
      parsePatch(await readJsonBody(request, BODY)),
    );
    return presentScimUser(await this.scim.change(provider, request, id, change), apiUrlOf(request));
  }

  @OpenRoute()
  @Delete('Users/:id')
  @HttpCode(204)
  async delete(
    @FromProvider() provider: ProviderRequest,
    @PathId('id') id: number,
    @Req() request: ApiRequest,
  ): Promise<void> {
    await this.scim.delete(provider, request, id);
  }

  @OpenRoute()
  @All(['Groups', 'Groups/:id', 'Bulk', 'Me', '.search', 'Users/.search'])
  refuse(): never {
    throw notSupported();
  }

  @OpenRoute()
  @All(['', '*path'])
  unknown(): never {
    throw routeNotFound();
  }
}
