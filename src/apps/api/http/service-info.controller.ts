import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { packageVersion } from '../../../kernel/package-version';
import { MeService } from '../me.service';
import { vocabularies } from '../vocabularies';
import { EnumsResponse, MeResponse, VersionResponse } from './service.responses';

@Controller()
export class ServiceInfoController {
  constructor(private readonly me: MeService) {}

  @Operation('GET /v1/version', {
    number: 28,
    id: 'getVersion',
    tag: 'Service',
    summary: 'Read the version of the service and of the API',
    role: 'any',
    scope: 'ci',
    success: {
      description: 'The version.',
      body: VersionResponse,
      example: { version: packageVersion, api: 'v1' },
    },
  })
  version(): VersionResponse {
    return { version: packageVersion, api: 'v1' };
  }

  @Operation('GET /v1/me', {
    id: 'getMe',
    tag: 'Service',
    summary: 'Read the caller and its key',
    role: 'any',
    scope: 'ci',
    success: {
      description: 'The caller.',
      body: MeResponse,
      example: {
        user: { id: 12, email: 'owner@example.com' },
        integrator: null,
        organizations: [{ id: 7, name: 'Northwind Traders', role: 'owner', mcp_write: false }],
        key: { access_key: 'ak_0123456789ABCDEFGHIJ', label: 'CI', scopes: ['ci'], organization_id: 7, expires: null },
      },
    },
  })
  getMe(@CurrentCaller() caller: Caller): Promise<MeResponse> {
    return this.me.get(caller);
  }

  @Operation('GET /v1/enums', {
    id: 'getEnums',
    tag: 'Service',
    summary: 'List all enumerations of the API, with numbers and transitions',
    role: 'any',
    success: {
      description: 'The enumerations.',
      body: EnumsResponse,
      example: vocabularies,
    },
  })
  enums(): EnumsResponse {
    return vocabularies;
  }
}
