import { Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import type { Attachment } from '../../../platform/http/attachment';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathUuid } from '../../../platform/http/path-uuid';
import { ActiveTestsService } from '../active-tests.service';
import {
  leftOutExample,
  LeftOutListResponse,
  pointExample,
  PointListResponse,
  PointsQuery,
  presentLeftOut,
  presentPoint,
  presentRequests,
  REQUESTS_TYPE,
} from './active-test.responses';
import { presentWritten, writtenExample, WrittenListResponse } from './written.responses';

@Controller()
export class ActiveTestsController {
  constructor(private readonly tests: ActiveTestsService) {}

  @Operation('GET /v1/jobs/{uuid}/points', {
    id: 'listPointsOfJob',
    tag: 'CI/CD jobs',
    summary: 'List the insertion points of the site of an active job',
    description: 'Those that are known now, also by other jobs. A point that no job has seen for 400 days is removed.',
    role: 'viewer',
    scope: 'ci',
    query: PointsQuery,
    success: {
      description: 'The points, newest first.',
      body: PointListResponse,
      example: { points: [pointExample] },
      paged: true,
    },
  })
  async points(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Query() query: PointsQuery,
  ): Promise<PagedBody<PointListResponse>> {
    const slice = await this.tests.pointsOf(caller.scope, uuid, query.tested, query.slice);
    return new PagedBody({ points: slice.items.map(presentPoint) }, query.slice, slice);
  }

  @Operation('GET /v1/jobs/{uuid}/left-out', {
    id: 'listLeftOutOfJob',
    tag: 'CI/CD jobs',
    summary: 'List what an active job does not request',
    description:
      'Links, forms and operations of the site, each with the word or the rule that decided. `allowed_paths` and `forbidden_paths` of the asset change it for the next job.',
    role: 'viewer',
    scope: 'ci',
    query: PageQuery,
    success: {
      description: 'The addresses, newest first.',
      body: LeftOutListResponse,
      example: { left_out: [leftOutExample] },
      paged: true,
    },
    errors: [400, 401, 403, 404],
  })
  async leftOut(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Query() query: PageQuery,
  ): Promise<PagedBody<LeftOutListResponse>> {
    const slice = await this.tests.leftOutOf(caller.scope, uuid, query.slice);
    return new PagedBody({ left_out: slice.items.map(presentLeftOut) }, query.slice, slice);
  }

  @Operation('GET /v1/jobs/{uuid}/written', {
    id: 'listWrittenByJob',
    tag: 'CI/CD jobs',
    summary: 'List what an active job has written to its target',
    description:
      'Forms and operations that it submitted, with `full` of the asset. Look for the mark to remove what is left. Empty for other jobs.',
    role: 'viewer',
    scope: 'ci',
    query: PageQuery,
    success: {
      description: 'The addresses.',
      body: WrittenListResponse,
      example: { written: [writtenExample] },
      paged: true,
    },
    errors: [400, 401, 403, 404],
  })
  async written(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Query() query: PageQuery,
  ): Promise<PagedBody<WrittenListResponse>> {
    const slice = await this.tests.writtenBy(caller.scope, uuid, query.slice);
    return new PagedBody({ written: slice.items.map(presentWritten) }, query.slice, slice);
  }

  @Operation('GET /v1/jobs/{uuid}/requests', {
    id: 'getRequestsOfJob',
    tag: 'CI/CD jobs',
    summary: 'Download the list of the requests of an active job',
    description:
      'As text: a line for each request with its time, method, URL without secrets, status and milliseconds, at most 2 MB. It is kept for 30 days. Each request carried the UUID of the job in `X-Assay-Job`.',
    role: 'viewer',
    scope: 'ci',
    success: { description: 'The file.', file: [REQUESTS_TYPE], example: 'time\tmethod\tURL\tstatus\tms' },
  })
  async requests(@CurrentCaller() caller: Caller, @PathUuid('uuid') uuid: string): Promise<Attachment> {
    return presentRequests(uuid, await this.tests.requestsOf(caller.scope, uuid));
  }
}
