import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PageQuery } from '../../../platform/http/page-query';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { DEFAULT_OVERLAP_HOURS } from '../../../kernel/overlap';
import { ApiKeysService } from '../api-keys.service';
import type { KeyOfUser } from '../data/keys.repository';
import { CreateApiKeyRequest, NarrowApiKeyRequest, RotateApiKeyRequest } from './api-key.requests';
import { ApiKeyListResponse, ApiKeyResponse, presentApiKey } from './api-key.responses';
import * as operations from './api-keys.operations';

@Controller()
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @operations.listApiKeys
  async list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<PagedBody<ApiKeyListResponse>> {
    const page = query.slice;
    const slice = await this.keys.list(caller, page);
    return new PagedBody({ api_keys: slice.items.map((key) => this.present(key)) }, page, slice);
  }

  @operations.createApiKey
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyRequest): Promise<ApiKeyResponse> {
    const { organization_id: organizationId = null, expires = null } = body;
    const created = await this.keys.create(caller, { label: body.label, scopes: body.scopes, organizationId, expires });
    return this.present(created.key, created.secret);
  }

  @operations.rotateApiKey
  async rotate(
    @CurrentCaller() caller: Caller,
    @PathId('key_id') id: number,
    @Body() { overlap_hours = DEFAULT_OVERLAP_HOURS }: RotateApiKeyRequest,
  ): Promise<ApiKeyResponse> {
    const rotated = await this.keys.rotate(caller, id, overlap_hours);
    return this.present(rotated.key, rotated.secret);
  }

  @operations.narrowApiKey
  async narrow(
    @CurrentCaller() caller: Caller,
    @PathId('key_id') id: number,
    @Body() { scopes }: NarrowApiKeyRequest,
  ): Promise<ApiKeyResponse> {
    return this.present(await this.keys.narrow(caller, id, scopes));
  }

  @operations.revokeApiKey
  async revoke(@CurrentCaller() caller: Caller, @PathId('key_id') id: number): Promise<Acknowledgement> {
    await this.keys.revoke(caller, id);
    return done('API key revoked.', id);
  }

  private present(key: KeyOfUser, secret?: string): ApiKeyResponse {
    return presentApiKey(key, this.keys.suggestedScopes(key), secret);
  }
}
