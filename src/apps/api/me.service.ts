import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../../modules/organizations';
import type { MeResponse } from './http/service.responses';

/** `GET /v1/organizations/` lists more than these, page by page. */
const maxOrganizations = 100;

@Injectable()
export class MeService {
  constructor(private readonly organizations: OrganizationsService) {}

  async get(caller: Caller): Promise<MeResponse> {
    const { userId, email, integrator } = caller.facts;
    const { key } = caller;
    const { items } = await this.organizations.list(caller.scope, { page: 1, perPage: maxOrganizations });
    return {
      user: { id: userId, email },
      integrator: integrator && { id: integrator.id, name: integrator.name, machine_events: integrator.machineEvents },
      organizations: items.map(({ id, name, mcpWrite }) => ({
        id,
        name,
        role: caller.roleIn(id) ?? 'viewer',
        mcp_write: mcpWrite,
      })),
      key: {
        access_key: key.accessKey,
        label: key.label,
        scopes: [...key.scopes],
        organization_id: key.organizationId,
        expires: key.expires?.toISOString() ?? null,
      },
    };
  }
}
