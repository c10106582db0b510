import { Body, Controller } from '@nestjs/common';
import { ResponseField } from '../../../platform/api/response-field';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { statusOfError } from '../../../platform/http/error-response';
import { Operation } from '../../../platform/http/operation';
import { type BulkResult, FindingBulkService } from '../finding-bulk.service';
import { BulkRequest } from './finding-bulk.requests';

class BulkResultResponse {
  @ResponseField.integer()
  finding_id!: number;

  @ResponseField.integer({ description: '200, or the status that the operation for one finding returns.' })
  status!: number;

  @ResponseField.string({ nullable: true, description: 'Why it was refused.' })
  error!: string | null;
}

class BulkResponse {
  @ResponseField.integer()
  changed!: number;

  @ResponseField.integer()
  refused!: number;

  @ResponseField.list(BulkResultResponse, { description: 'In the order of the request.' })
  results!: BulkResultResponse[];
}

const presentResult = ({ findingId, error }: BulkResult): BulkResultResponse => ({
  finding_id: findingId,
  status: error === null ? 200 : statusOfError(error),
  error: error === null ? null : error.message,
});

function presentResults(results: readonly BulkResult[]): BulkResponse {
  const refused = results.filter(({ error }) => error !== null).length;
  return { changed: results.length - refused, refused, results: results.map(presentResult) };
}

@Controller()
export class FindingBulkController {
  constructor(private readonly bulk: FindingBulkService) {}

  @Operation('POST /v1/findings/bulk', {
    id: 'changeFindings',
    tag: 'Findings',
    summary: 'Change many findings',
    description:
      'Does the same with up to 500 findings, one after the other, and returns a result for each. A finding that is refused undoes no other. Each has an audit entry of its own. If the response is lost, send the request again: what is set already stays as it is.',
    role: 'member',
    body: {
      example: {
        finding_ids: [4711, 4712],
        action: { status: 3, comment: 'The team of the shop works on it.' },
      },
    },
    success: {
      description: 'The result of each finding.',
      body: BulkResponse,
      example: {
        changed: 1,
        refused: 1,
        results: [
          { finding_id: 4711, status: 200, error: null },
          { finding_id: 4712, status: 404, error: 'Finding not found.' },
        ],
      },
    },
    audit: { operation: 'finding.bulk_change', resource: 'finding' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @Body() { finding_ids: findingIds, action: { action } }: BulkRequest,
  ): Promise<BulkResponse> {
    return presentResults(await this.bulk.apply(caller, findingIds, action));
  }
}
