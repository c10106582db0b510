import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Flag } from '../../../platform/http/fields';
import { operationsTagged } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { AgentWrites } from '../agent-writes.service';

const DESCRIPTION = 'Whether the MCP server has tools that start tests, comment and generate reports.';

class ChangeAgentWritesRequest {
  @Flag({ description: DESCRIPTION })
  mcp_write!: boolean;
}

class AgentWritesResponse {
  @ResponseField.boolean({ description: DESCRIPTION })
  mcp_write!: boolean;
}

const operation = operationsTagged('Settings');

@Controller()
export class AgentWritesController {
  constructor(private readonly writes: AgentWrites) {}

  @operation('GET /v1/organizations/{organization_id}/settings/agents', {
    id: 'getAgentWrites',
    summary: 'Read whether agents may change something',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The setting.', body: AgentWritesResponse, example: { mcp_write: false } },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<AgentWritesResponse> {
    return { mcp_write: await this.writes.get(caller.scope, id) };
  }

  @operation('PUT /v1/organizations/{organization_id}/settings/agents', {
    id: 'changeAgentWrites',
    summary: 'Set whether agents may change something',
    description: 'An agent also needs an API key with the scope `write` and a role that allows the change.',
    role: 'owner',
    body: { example: { mcp_write: true } },
    ifMatch: 'getAgentWrites',
    success: { description: 'The setting.', body: AgentWritesResponse, example: { mcp_write: true } },
    audit: { operation: 'settings.agents_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { mcp_write }: ChangeAgentWritesRequest,
  ): Promise<AgentWritesResponse> {
    await this.writes.change(caller, id, mcp_write);
    return { mcp_write };
  }
}
