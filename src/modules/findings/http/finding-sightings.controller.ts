import { Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
import { SightingsService } from '../scans/sightings.service';
import { presentSighting, SightingListResponse } from './finding-sighting.responses';

@Controller()
export class FindingSightingsController {
  constructor(private readonly sightings: SightingsService) {}

  @Operation('GET /v1/findings/{finding_id}/sightings', {
    number: 'addition',
    id: 'listFindingSightings',
    tag: 'Findings',
    summary: 'List who saw a finding',
    description:
      'Each time that a scanner, a job or a person saw the finding, newest first, with the rule and the identity. Includes the sightings of findings that are merged into it.',
    role: 'viewer',
    query: PageQuery,
    success: {
      status: 200,
      description: 'The sightings.',
      body: SightingListResponse,
      example: {
        sightings: [
          {
            finding_id: 4711,
            scanner: 'nuclei',
            rule_id: 'exposed-git',
            seen_at: '2026-01-31T12:00:00.000Z',
            import_id: 12,
            job_uuid: null,
            line: 3,
            actor: { type: 'user', id: '12' },
            title: 'Git repository is public',
            severity: 'medium',
            location: 'https://www.example.com/.git/config?x=1',
            parameter: null,
            evidence: '[core]',
            has_replay: true,
            has_template: false,
            identity: [
              'Scanner: nuclei',
              'Rule: exposed-git',
              'Place: https://www.example.com/.git/config?x',
              'No parameter',
            ],
          },
        ],
      },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') id: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<SightingListResponse>> {
    const page = query.slice;
    const slice = await this.sightings.list(caller.scope, id, page);
    return new PagedBody({ sightings: slice.items.map(presentSighting) }, page, slice);
  }
}
