import { Controller, Query } from '@nestjs/common';
import { MAX_CHECK_ID_LENGTH } from '../domain/template-prefix';
import { pathParameter } from '../../../platform/http/path-parameter';
import { Operation } from '../../../platform/http/operation';
import { PagedBody } from '../../../platform/http/paged-body';
import { ChecksService } from '../checks.service';
import { ListChecksQuery, ReadCheckQuery } from './check.requests';
import { checkExample, CheckListResponse, CheckViewResponse, presentCheck, presentCheckView } from './check.responses';

/** The id of a check in a path. Other texts are made short and printable, and no check has them. */
const PathCheckId = pathParameter((text = '') => text.slice(0, MAX_CHECK_ID_LENGTH + 1).replace(/[^\x21-\x7e]/g, '?'), {
  type: 'string',
  maxLength: MAX_CHECK_ID_LENGTH,
});

@Controller()
export class ChecksController {
  constructor(private readonly checks: ChecksService) {}

  @Operation('GET /v1/checks', {
    id: 'listChecks',
    tag: 'Checks',
    summary: 'List the checks of this installation',
    description:
      'The built-in checks, and the templates that the operator has loaded for all organizations. Without retired templates.',
    role: 'any',
    scope: 'ci',
    query: ListChecksQuery,
    success: {
      description: 'The built-in checks, then the loaded templates, the newest first.',
      body: CheckListResponse,
      example: { checks: [checkExample] },
      paged: true,
    },
  })
  async list(@Query() query: ListChecksQuery): Promise<PagedBody<CheckListResponse>> {
    const { slice: page, filter } = query;
    const slice = await this.checks.list(filter, page);
    return new PagedBody({ checks: slice.items.map(presentCheck) }, page, slice);
  }

  @Operation('GET /v1/checks/{check_id}', {
    id: 'getCheck',
    tag: 'Checks',
    summary: 'Read a check',
    description: 'Of a loaded template also its YAML, and earlier versions. Retired templates stay readable.',
    role: 'any',
    scope: 'ci',
    query: ReadCheckQuery,
    success: {
      description: 'The check.',
      body: CheckViewResponse,
      example: {
        check: {
          ...checkExample,
          text: 'The configuration of a Git repository can be read by anyone.',
          decides:
            'Sends the requests of the template. It is vulnerable if a response matches, and fixed when none does.',
          cvss_vector: null,
          references: [],
          retired: null,
          versions: [1, 2],
          template: 'id: git-config\n',
        },
      },
    },
  })
  async get(@PathCheckId('check_id') id: string, @Query() { version }: ReadCheckQuery): Promise<CheckViewResponse> {
    return presentCheckView(await this.checks.get(id, version));
  }
}
