import { LEFT_OUT_BY } from '../../../engine';
import { redact } from '../../../kernel/redact';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { ResponseField } from '../../../platform/api/response-field';
import { Attachment } from '../../../platform/http/attachment';
import { Flag } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { createHash } from 'node:crypto';
import type { ActiveView } from '../active-tests.service';
import type { LeftOutPage, PointOfJob } from '../data/active-inventory.repository';

export class PointsQuery extends PageQuery {
  @Flag({
    optional: true,
    description: 'Only points that the job has tested, or with false only those that it has left.',
  })
  tested?: boolean;
}

export class ActiveTestsResponse {
  @ResponseField.integer({ description: 'The pages that are known of the site.' })
  pages!: number;

  @ResponseField.integer({ description: 'The pages, with those of one program counted once.' })
  shapes!: number;

  @ResponseField.integer({ description: 'The insertion points that are known of the site.' })
  points!: number;

  @ResponseField.integer({ description: 'Those that this job has tested. The next one begins with the others.' })
  tested!: number;

  @ResponseField.string({
    nullable: true,
    description: 'Why it did not test all points; null if it did, or has not ended.',
  })
  reason!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'The address that has no proof file, as long as jobs may run without one.',
  })
  warning!: string | null;

  @ResponseField.integer({ description: 'Addresses that were not requested.' })
  left_out!: number;

  @ResponseField.strings({
    description: 'What its crawl noticed: a page that changed after a request, servers elsewhere.',
  })
  notes!: string[];
}

export class LeftOutResponse {
  @ResponseField.string({ description: 'The method that it is for.' })
  method!: string;

  @ResponseField.string({ description: `Path and query, redacted. After ${MAX_URL_LENGTH} characters it is cut.` })
  path!: string;

  @ResponseField.integer({
    nullable: true,
    description: 'The account whose run found it; null for the run without a session.',
  })
  account_id!: number | null;

  @ResponseField.string({ description: 'Where it was found: `link`, `form`, `openapi` …' })
  source!: string;

  @ResponseField.string({
    enum: LEFT_OUT_BY,
    description:
      '`word`: of the address or the label. `description`: of the operation. `observed`: a page changed after it. `forbidden`: by an admin. `method`: neither GET nor HEAD. `scope`: outside of it. `similar`: enough of its shape are requested. `form`: its fields are filled in, it has a captcha, or takes files.',
  })
  by!: string;

  @ResponseField.string({ description: 'The word, or what was observed.' })
  reason!: string;

  @ResponseField.boolean({ description: 'Whether an admin may add it to `allowed_paths` of the asset.' })
  allowable!: boolean;

  @ResponseField.integer({ description: 'How many addresses this entry is about.' })
  count!: number;
}

export class LeftOutListResponse {
  @ResponseField.list(LeftOutResponse)
  left_out!: LeftOutResponse[];
}

const POINT_KINDS = ['query', 'segment', 'cookie', 'header', 'graphql', 'form', 'json'] as const;

export class PointResponse {
  @ResponseField.string({ description: 'GET, HEAD, or POST of a GraphQL query, a form or a writing operation.' })
  method!: string;

  @ResponseField.string({
    description: `Path and query of the request that it was found in, redacted. After ${MAX_URL_LENGTH} characters it is cut.`,
  })
  path!: string;

  @ResponseField.integer({
    nullable: true,
    description: 'The account whose run found it; null for the run without a session.',
  })
  account_id!: number | null;

  @ResponseField.string({ enum: POINT_KINDS })
  kind!: string;

  @ResponseField.string({
    description:
      'Of a parameter, cookie, header, variable or field; of a member of JSON its path; of a segment of the path its number.',
  })
  name!: string;

  @ResponseField.boolean({ description: 'Whether this job has tested it.' })
  tested!: boolean;

  @ResponseField.instant({ nullable: true, description: 'When a job has tested it last; null for never.' })
  last_tested!: string | null;
}

export class PointListResponse {
  @ResponseField.list(PointResponse)
  points!: PointResponse[];
}

export const presentActive = (view: ActiveView | null): ActiveTestsResponse | null =>
  view && {
    pages: view.pages,
    shapes: view.shapes,
    points: view.points,
    tested: view.tested,
    reason: view.reason,
    warning: view.warning,
    left_out: view.leftOut ?? 0,
    notes: view.notes.map((note) => redact(note)),
  };

/** A page shows a hundred of them. */
const shownPath = (path: string): string =>
  path.length > MAX_URL_LENGTH ? `${redact(path.slice(0, MAX_URL_LENGTH))} […]` : redact(path);

export const presentLeftOut = ({ path, source, leftOut, accountId }: LeftOutPage): LeftOutResponse => ({
  account_id: accountId,
  method: leftOut.method,
  path: shownPath(path),
  source,
  by: leftOut.by,
  reason: redact(leftOut.reason),
  allowable: leftOut.isAllowable,
  count: leftOut.count,
});

export const leftOutExample: LeftOutResponse = {
  account_id: null,
  method: 'GET',
  path: '/transfer?to=7',
  source: 'link',
  by: 'word',
  reason: 'transfer',
  allowable: true,
  count: 1,
};

export const presentPoint = ({ point, isTested, testedAt, accountId }: PointOfJob): PointResponse => ({
  account_id: accountId,
  method: point.request.method ?? 'GET',
  path: shownPath(point.request.path),
  kind: point.kind,
  name: point.name,
  tested: isTested,
  last_tested: testedAt?.toISOString() ?? null,
});

export const REQUESTS_TYPE = 'text/plain; charset=utf-8';

/** The list of the requests of a job as a download. */
export function presentRequests(uuid: string, text: string): Attachment {
  const content = Buffer.from(text);
  return new Attachment({
    contentType: REQUESTS_TYPE,
    name: `requests-${uuid}.txt`,
    size: content.length,
    digest: createHash('sha256').update(content).digest('hex'),
    async *read({ from, to }) {
      yield content.subarray(from, to + 1);
    },
  });
}

export const pointExample: PointResponse = {
  account_id: null,
  method: 'GET',
  path: '/search?q=tea',
  kind: 'query',
  name: 'q',
  tested: true,
  last_tested: '2026-01-31T12:20:00.000Z',
};
