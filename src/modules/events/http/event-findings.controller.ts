import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathSlug } from '../../../platform/http/path-slug';
import { FindingListResponse, ListFindingsQuery, findingExample, presentFinding } from '../../findings';
import { EventFindingsService } from '../event-findings.service';
import { RecordFindingRequest, findingToRecord } from './event-finding.requests';
import {
  acknowledgeFinding,
  createdExample,
  FindingAcknowledgement,
  seenAgainExample,
} from './event-finding.responses';

@Controller()
export class EventFindingsController {
  constructor(private readonly findings: EventFindingsService) {}

  @Operation('GET /v1/events/{event_slug}/findings/', {
    number: 5,
    id: 'listEventFindings',
    tag: 'Events',
    summary: 'List the findings of an event',
    role: 'viewer',
    query: ListFindingsQuery,
    success: {
      description: 'The findings that were seen in the event, newest first unless sorted otherwise.',
      body: FindingListResponse,
      example: { findings: [findingExample] },
      paged: true,
    },
    errors: [401, 403, 404],
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Query() query: ListFindingsQuery,
  ): Promise<PagedBody<FindingListResponse>> {
    const { slice: page, order } = query;
    const slice = await this.findings.list(caller.scope, slug, query.filterFor(caller), order, page);
    return new PagedBody({ findings: slice.items.map(presentFinding) }, page, slice);
  }

  @Operation('POST /v1/events/{event_slug}/findings/', {
    id: 'recordFinding',
    tag: 'Events',
    summary: 'Record a finding of an event',
    description:
      'A finding with the same title on the same asset is recorded as the same finding. Its first text stays, and it is reopened if it was resolved. If it is recorded in a second event, it belongs to both. A finding with a check is identified by the check and its location instead of the title. A worker then runs the initial verification, which retests compare with. A check that can match without content is recorded with a warning.',
    role: 'member',
    body: {
      example: {
        title: 'TLS 1.0 is offered',
        md: 'The server accepts **TLS 1.0**.',
        asset_value: 'www.example.com',
        cvss_vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
        check: { id: 'weak-tls-protocol', location: 'https://www.example.com/' },
      },
    },
    success: {
      status: 201,
      description: 'The finding was created.',
      body: FindingAcknowledgement,
      example: createdExample,
      location: ({ id }: FindingAcknowledgement) => `/v1/findings/${id}/`,
      alreadyExists: {
        description: 'The finding already existed and was seen again.',
        example: seenAgainExample,
      },
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'finding.record', resource: 'finding' },
  })
  async record(
    @CurrentCaller() caller: Caller,
    @PathSlug('event_slug') slug: string,
    @Body() body: RecordFindingRequest,
  ): Promise<FindingAcknowledgement> {
    return acknowledgeFinding(await this.findings.record(caller, slug, findingToRecord(body)));
  }
}
