import { Controller, Query } from '@nestjs/common';
import { FileStream } from '../../../platform/http/file-stream';
import { Integer, TextWithRule } from '../../../platform/http/fields';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { operationsTagged } from '../../../platform/http/operation';
import { pathParameter } from '../../../platform/http/path-parameter';
import { PathUuid } from '../../../platform/http/path-uuid';
import { invalid } from '../../../kernel/domain-error';
import { timeOfUuidV7 } from '../../../kernel/uuid-v7';
import { AuditHeadsService } from '../audit-heads.service';
import { monthOf } from '../domain/months';
import {
  AuditHeadListResponse,
  ConsistencyProofResponse,
  headExample,
  InclusionProofResponse,
  presentConsistency,
  presentHead,
  presentInclusion,
} from './audit-heads.responses';

const MONTH_PATTERN = '^[0-9]{4}-(0[1-9]|1[0-2])$';
const MONTH = new RegExp(MONTH_PATTERN);
const NO_SUCH_MONTH = '0000-01';
const MAX_SIZE = 2_147_483_647;

const PathMonth = pathParameter((text = '') => (MONTH.test(text) ? text : NO_SUCH_MONTH), {
  type: 'string',
  maxLength: 7,
  pattern: MONTH_PATTERN,
});

function requireMonth(text: string): void {
  if (!MONTH.test(text)) throw invalid('must be a month such as 2026-11');
}

export class ListAuditHeadsQuery {
  @TextWithRule(
    requireMonth,
    { maxLength: 7, pattern: MONTH_PATTERN },
    {
      optional: true,
      description: 'All heads of this month, such as 2026-11. Without it, the newest 100.',
    },
  )
  month?: string;
}

export class AuditConsistencyQuery {
  @Integer(1, MAX_SIZE, { description: 'The size of one head of the month.' })
  first!: number;

  @Integer(1, MAX_SIZE, { description: 'The size of another one.' })
  second!: number;
}

const operation = operationsTagged('Audit logs');

/** They say nothing of an entry but its hash, so that reading them leaves no entry. */
@Controller()
export class AuditHeadsController {
  constructor(private readonly heads: AuditHeadsService) {}

  @operation('GET /v1/organizations/{organization_id}/audit-heads', {
    id: 'listAuditHeads',
    summary: 'List the signed heads of the audit log',
    description:
      'The entries of a month are the leaves of a tree (RFC 9162), in the order of their commits. Once an hour a worker signs its root, if the operator has set a key. `assay verify-audit` verifies all.',
    role: 'admin',
    query: ListAuditHeadsQuery,
    success: {
      description: 'The heads, newest first.',
      body: AuditHeadListResponse,
      example: { heads: [headExample] },
    },
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ListAuditHeadsQuery,
  ): Promise<AuditHeadListResponse> {
    return { heads: (await this.heads.list(caller, organizationId, query.month)).map(presentHead) };
  }

  @operation('GET /v1/organizations/{organization_id}/audit-heads/{month}/consistency', {
    id: 'proveAuditConsistency',
    summary: 'Prove that one head of a month continues another',
    description: 'The consistency proof of RFC 9162, section 2.1.4. 409 if the month has been archived.',
    role: 'admin',
    query: AuditConsistencyQuery,
    success: {
      description: 'The heads, the smaller first, and the proof.',
      body: ConsistencyProofResponse,
      example: { first: headExample, second: headExample, path: [] },
    },
    errors: [400, 401, 403, 404, 409],
  })
  async consistency(
    @InOrganization() { caller, organizationId }: Place,
    @PathMonth('month') month: string,
    @Query() query: AuditConsistencyQuery,
  ): Promise<ConsistencyProofResponse> {
    return presentConsistency(await this.heads.proveConsistency(caller, organizationId, month, query));
  }

  @operation('GET /v1/organizations/{organization_id}/audit-heads/{month}/proofs', {
    id: 'downloadAuditProofs',
    summary: 'Download the heads and the hashes of all entries of a month',
    description: 'Lines for `assay verify-audit`, beside an export of the entries. An unknown month has none.',
    role: 'admin',
    success: { description: 'One JSON object a line.', file: ['application/x-ndjson'] },
  })
  async proofs(
    @InOrganization() { caller, organizationId }: Place,
    @PathMonth('month') month: string,
  ): Promise<FileStream> {
    return proofsFile(await this.heads.proofs(caller, organizationId, month), organizationId, month);
  }

  @operation('GET /v1/organizations/{organization_id}/audit-logs/{entry_id}/inclusion', {
    id: 'proveAuditInclusion',
    summary: 'Prove that an entry is in the audit log',
    description:
      'The inclusion proof of RFC 9162, section 2.1.3, for the newest head. 409 if the month has been archived.',
    role: 'admin',
    success: {
      description: 'The head, the position of the entry and the proof.',
      body: InclusionProofResponse,
      example: { signed: headExample, leaf_index: 0, path: [] },
    },
    errors: [401, 403, 404, 409],
  })
  async inclusion(
    @InOrganization() { caller, organizationId }: Place,
    @PathUuid('entry_id') id: string,
  ): Promise<InclusionProofResponse> {
    return presentInclusion(await this.heads.proveInclusion(caller, organizationId, monthOf(timeOfUuidV7(id)), id));
  }
}

export const proofsFile = (lines: AsyncGenerator<string>, organizationId: number, month = 'all'): FileStream =>
  new FileStream(`audit-proofs-${organizationId}-${month}.ndjson`, 'application/x-ndjson; charset=utf-8', lines);
