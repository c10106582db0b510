import { z } from 'zod';
import { AssayError, dataOf, type Schemas } from '../../sdk/src';
import { flag, number, rowOf, text, texts } from './records';
import { cursor, id, organizationId, pageOf, type Reader, readingTool } from './tool';

const STATUSES = [
  'open',
  'accepted',
  'in_progress',
  'ready_for_retest',
  'resolved',
  'risk_accepted',
  'false_positive',
  'duplicate',
  'informative',
  'out_of_scope',
] as const;
const SEVERITIES = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'] as const;

const LISTED = {
  id: number,
  title: text,
  severity: text,
  priority: number,
  status: text,
  belief: text,
  asset_id: number,
  asset_value: text,
  due_date: text,
};
const FINDING = {
  ...LISTED,
  verification: text,
  verification_reason: text,
  score: number,
  cve: text,
  cwe: number,
  labels: texts,
  merged_into: number,
  created: text,
};
export const RETEST = {
  finding_id: number,
  uuid: text,
  status: text,
  result: text,
  reason: text,
  by_refusal: text,
  next_step: text,
  position: number,
  started: text,
  finished: text,
};
const EVIDENCE = {
  finding_id: number,
  result: text,
  reason: text,
  target: text,
  check: text,
  signed: text,
  key: text,
  probes: number,
};
const VERDICT = {
  finding_id: number,
  status: text,
  belief: text,
  belief_since: text,
  verification: text,
  verification_reason: text,
  result: text,
  reason: text,
  next_step: text,
  second_look: text,
  probes: number,
  controls_failed: number,
  signed: flag,
};

type Finding = Schemas['FindingResponse'];
type Retest = Schemas['RetestResponse'];

const findingFacts = (finding: Finding) => ({
  ...finding,
  status: STATUSES[finding.status - 1] ?? String(finding.status),
  belief: finding.belief.value,
  verification: finding.verification.result,
  verification_reason: finding.verification.reason,
});

export async function readFinding(client: Reader, findingId: number, signal: AbortSignal): Promise<Finding> {
  const params = { path: { finding_id: findingId } };
  const { findings } = await dataOf(client.GET('/v1/findings/{finding_id}/', { params, signal }));
  const [finding] = findings;
  if (finding === undefined) throw new Error(`There is no finding ${findingId}.`);
  return finding;
}

export const readRetest = (client: Reader, findingId: number, signal: AbortSignal): Promise<Retest> =>
  dataOf(client.GET('/v1/findings/{finding_id}/retest/', { params: { path: { finding_id: findingId } }, signal }));

export const retestRow = (findingId: number, retest: Retest) => rowOf(RETEST, { ...retest, finding_id: findingId });

interface ReadEvidence {
  readonly target?: unknown;
  readonly signed?: unknown;
  readonly check?: { readonly id?: unknown };
  readonly probes?: readonly { readonly controlFailure?: unknown }[];
}

async function readEvidence(client: Reader, findingId: number, signal: AbortSignal) {
  const params = { path: { finding_id: findingId } };
  const read = await dataOf(client.GET('/v1/findings/{finding_id}/retest/evidence', { params, signal }));
  const answer = read as Schemas['RetestEvidenceResponse'];
  const evidence = (answer.evidence ?? {}) as ReadEvidence;
  return { ...answer, evidence, probes: evidence.probes ?? [] };
}

/** Not every finding has had a retest, or has evidence yet. Any other error would be told as that. */
function nothingIfNone(error: unknown): undefined {
  if (!(error instanceof AssayError && error.status === 409)) throw error;
}

/** What each result of a test says, and what it does not. */
const MEANINGS: Readonly<Record<string, string>> = {
  still_vulnerable: 'A test saw the weakness again. Fix it, deploy, and retest.',
  fixed:
    'Tests did not see the weakness, while controls showed that the same target answered. Only a test can say this.',
  inconclusive:
    'The tests decide nothing: neither fixed nor still vulnerable. The reason and next_step say what is missing.',
  blocked: 'Something refused the tests. It is neither fixed nor still vulnerable.',
};

export const findingTools = [
  readingTool({
    name: 'search_findings',
    title: 'Search findings',
    description:
      'Lists the findings of an organization, the most urgent first. query matches title, asset, check, CVE, CWE, label and id.',
    input: {
      organization_id: organizationId,
      query: z.string().min(1).max(200).optional(),
      status: z.enum(STATUSES).optional(),
      severity: z.enum(SEVERITIES).optional().describe('The lowest severity.'),
      asset_id: id.optional(),
      cursor,
    },
    record: LISTED,
    async run({ organization_id, query: q, status, severity, asset_id }, { client, from, signal, organization }) {
      const params = {
        path: { organization_id: await organization(organization_id) },
        query: {
          per_page: 50,
          sort: 'priority' as const,
          q,
          severity,
          asset_id,
          status: status === undefined ? undefined : ((STATUSES.indexOf(status) + 1) as Finding['status']),
          after: from.after,
        },
      };
      const { data, after } = await pageOf(
        client.GET('/v1/organizations/{organization_id}/findings/', { params, signal }),
      );
      const records = data.findings.map((finding) => rowOf(LISTED, findingFacts(finding)));
      return {
        heading: `${records.length} findings on this page.`,
        records,
        after,
        next: 'get_finding, explain_verdict',
      };
    },
  }),
  readingTool({
    name: 'get_finding',
    title: 'Read a finding',
    description: 'Reads a finding with its description: what the test saw, and how to fix it.',
    input: { finding_id: id, cursor },
    record: FINDING,
    async run({ finding_id }, { client, signal }) {
      const finding = await readFinding(client, finding_id, signal);
      return {
        heading: `Finding ${finding_id}.`,
        records: [rowOf(FINDING, findingFacts(finding))],
        text: finding.md ?? '',
        next: 'get_evidence, explain_verdict; after a fix is deployed: start_retest',
      };
    },
  }),
  readingTool({
    name: 'get_retest',
    title: 'Read the last retest of a finding',
    description: 'Reads the state and the result of the last retest of a finding.',
    input: { finding_id: id },
    record: RETEST,
    async run({ finding_id }, { client, signal }) {
      const retest = await readRetest(client, finding_id, signal);
      const meaning = MEANINGS[retest.result ?? ''] ?? 'It has no result yet.';
      return {
        heading: `The last retest of finding ${finding_id}. ${meaning}`,
        records: [retestRow(finding_id, retest)],
      };
    },
  }),
  readingTool({
    name: 'get_evidence',
    title: 'Read the evidence of the last retest',
    description: 'Reads what each probe of the last retest sent and received: redacted, and signed by the service.',
    input: { finding_id: id, cursor },
    record: EVIDENCE,
    async run({ finding_id }, { client, signal }) {
      const { evidence, signature, probes, result, reason } = await readEvidence(client, finding_id, signal);
      const key = (signature as { readonly key?: unknown } | null)?.key;
      const { target, signed, check } = evidence;
      const facts = { finding_id, result, reason, target, signed, key, check: check?.id, probes: probes.length };
      return {
        heading: `The evidence of the last retest of finding ${finding_id}.`,
        records: [rowOf(EVIDENCE, facts)],
        text: probes.map((probe) => JSON.stringify(probe)).join('\n'),
        next: 'assay verify-evidence verifies the signature of the downloaded file',
      };
    },
  }),
  readingTool({
    name: 'explain_verdict',
    title: 'Explain the verdict of a finding',
    description: 'Explains what tests have shown about a finding, what they have not, and what would decide it.',
    input: { finding_id: id },
    record: VERDICT,
    async run({ finding_id }, { client, signal }) {
      const finding = await readFinding(client, finding_id, signal);
      const evidence = await readEvidence(client, finding_id, signal).catch(nothingIfNone);
      const retest = await readRetest(client, finding_id, signal).catch(nothingIfNone);
      const facts = {
        ...findingFacts(finding),
        ...retest,
        status: STATUSES[finding.status - 1],
        finding_id,
        belief_since: finding.belief.since,
        probes: evidence?.probes.length,
        controls_failed: evidence?.probes.filter(({ controlFailure = null }) => controlFailure !== null).length,
        signed: evidence === undefined ? undefined : evidence.signature !== null,
      };
      const meaning =
        retest === undefined
          ? 'It has had no retest.'
          : (MEANINGS[retest.result ?? ''] ?? 'Its last retest has no result yet.');
      return {
        heading: `The verdict of finding ${finding_id}. ${meaning} A status that a person set is no test.`,
        records: [rowOf(VERDICT, facts)],
        next: 'get_evidence, start_retest',
      };
    },
  }),
];
