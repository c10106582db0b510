import { z } from 'zod';
import { dataOf, launch, waitForJob, waitForRetest } from '../../sdk/src';
import { readRetest, RETEST, retestRow } from './finding-tools';
import { number, rowOf, text } from './records';
import { readScan, SCAN } from './scan-tools';
import { id, organizationId, writingTool } from './tool';

/** Below the time after which this service and common gateways close an idle connection. */
const MAX_WAIT_SECONDS = 50;
const waitSeconds = z
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(45)
  .describe('How long to wait for the end. The work goes on afterwards.');

const COMMENT = { finding_id: number, comment_id: text };
const REPORT = { report_id: number, format: text };

export const writingTools = [
  writingTool('sends', {
    name: 'start_retest',
    title: 'Retest a finding',
    description: 'Tests again whether the weakness of a finding is there, and waits. It sends requests to the target.',
    input: { finding_id: id, wait_seconds: waitSeconds },
    record: RETEST,
    async run({ finding_id, wait_seconds }, { client, signal }) {
      await dataOf(client.POST('/v1/findings/{finding_id}/retest/', { params: { path: { finding_id } }, signal }));
      const { ended } = await waitForRetest(client, finding_id, { signal, timeoutMs: wait_seconds * 1_000 });
      const retest = await readRetest(client, finding_id, signal);
      return {
        heading: ended
          ? `The retest of finding ${finding_id} has ended.`
          : `The retest of finding ${finding_id} goes on.`,
        records: [retestRow(finding_id, retest)],
        next: ended ? 'explain_verdict, get_evidence' : 'get_retest',
      };
    },
  }),
  writingTool('sends', {
    name: 'start_scan',
    title: 'Scan a URL',
    description:
      'Scans a URL of an asset, and waits. It sends requests to the target. depth active needs active tests on the asset.',
    input: {
      url: z.url({ protocol: /^https?$/ }).max(2_048),
      depth: z.enum(['standard', 'active']).optional(),
      checks: z
        .array(z.string().min(1).max(200))
        .max(50)
        .optional()
        .describe('Ids of checks and tags; by default all.'),
      wait_seconds: waitSeconds,
    },
    record: SCAN,
    async run({ url, depth, checks, wait_seconds }, { client, signal }) {
      const scan = await launch(client, { url, depth, checks }, signal);
      const { ended } = await waitForJob(client, scan, { signal, timeoutMs: wait_seconds * 1_000 });
      return { ...(await readScan(client, scan, signal)), next: ended ? 'get_finding' : 'get_scan' };
    },
  }),
  writingTool('records', {
    name: 'comment_finding',
    title: 'Comment a finding',
    description: 'Adds a comment in Markdown. It is marked as written by an agent, and mentions nobody.',
    input: { finding_id: id, comment: z.string().min(1).max(2_000) },
    record: COMMENT,
    async run({ finding_id, comment }, { client, signal }) {
      const options = { params: { path: { finding_id } }, body: { comment, by_agent: true }, signal };
      const { id: comment_id } = await dataOf(client.POST('/v1/findings/{finding_id}/comments/', options));
      return {
        heading: `Finding ${finding_id} has the comment.`,
        records: [rowOf(COMMENT, { finding_id, comment_id })],
      };
    },
  }),
  writingTool('records', {
    name: 'draft_report',
    title: 'Draft a report',
    description:
      'Generates a report of an organization or of an event, which people then read and download in the portal.',
    input: {
      organization_id: organizationId,
      event: z.string().min(1).max(63).optional().describe('The slug of an event.'),
      format: z.enum(['pdf', 'html', 'json', 'csv']).default('pdf'),
    },
    record: REPORT,
    async run({ organization_id, event, format }, { client, signal, organization }) {
      const body = { options: { format } } as never;
      const { id: report_id } = await dataOf(
        event === undefined
          ? client.POST('/v1/organizations/{organization_id}/reports/', {
              params: { path: { organization_id: await organization(organization_id) } },
              body,
              signal,
            })
          : client.POST('/v1/events/{event_slug}/reports/', { params: { path: { event_slug: event } }, body, signal }),
      );
      return { heading: 'The report is being generated.', records: [rowOf(REPORT, { report_id, format })] };
    },
  }),
];
