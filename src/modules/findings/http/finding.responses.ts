import { SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import type { PresentedFinding } from '../changes/presented-finding';
import { FINDING_STATUS } from '../domain/finding-status';
import { NO_CHECK, VERIFICATION_RESULTS } from '../domain/verification';

import { AcceptedCheckOfFindingResponse, presentAcceptedCheckOfFinding } from './accepted-check.responses';
import { BeliefResponse, presentBelief } from './belief.responses';
import { EditedResponse, presentEdited } from './finding-edits.responses';
import { EpssResponse, KevResponse, presentEpss, presentKev } from './vulnerability.responses';

const STATUSES = Object.values(FINDING_STATUS);

class VerificationResponse {
  @ResponseField.string({
    enum: VERIFICATION_RESULTS,
    description:
      'Whether a check of this service saw the weakness (`confirmed`), or showed that it is not there (`refuted`). It never changes the status.',
  })
  result!: string;

  @ResponseField.string()
  reason!: string;

  @ResponseField.instant({ nullable: true, description: 'Null if it was not tested.' })
  tested_at!: string | null;
}

export class FindingResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  title!: string;

  @ResponseField.string({ nullable: true, description: 'Markdown, as it was written.' })
  md!: string | null;

  @ResponseField.string({ nullable: true, description: 'The Markdown as sanitized HTML.' })
  html!: string | null;

  @ResponseField.integer({ nullable: true, description: 'Null if the asset does not exist or was deleted.' })
  asset_id!: number | null;

  @ResponseField.string()
  asset_value!: string;

  @ResponseField.integer({ enum: STATUSES, description: 'GET /v1/enums lists the names and the allowed transitions.' })
  status!: number;

  @ResponseField.integer({ nullable: true, enum: STATUSES, description: 'The previous status.' })
  previous_status!: number | null;

  @ResponseField.number({ nullable: true, description: '0.0 to 10.0.' })
  requested_score!: number | null;

  @ResponseField.integer({
    nullable: true,
    description: 'The event in which the finding was first recorded, or null. Other events may have seen it since.',
  })
  event_id!: number | null;

  @ResponseField.string({ enum: SEVERITIES })
  severity!: string;

  @ResponseField.integer({ enum: [1, 2, 3, 4, 5], description: '1 is the most urgent.' })
  priority!: number;

  @ResponseField.number({ nullable: true, description: '0.0 to 10.0.' })
  score!: number | null;

  @ResponseField.string({ nullable: true })
  cve!: string | null;

  @ResponseField.strings({
    description: 'Its CVEs besides the first one. `epss` and `kev` are those of the worst of all.',
  })
  other_cves!: string[];

  @ResponseField.integer({ nullable: true, description: 'The number in the Common Weakness Enumeration, such as 79.' })
  cwe!: number | null;

  @ResponseField.string({ nullable: true, description: 'CVSS 3.0, 3.1 or 4.0.' })
  cvss_vector!: string | null;

  @ResponseField.strings({ description: 'http and https URLs that describe the weakness.' })
  references!: string[];

  @ResponseField.one(EpssResponse, {
    nullable: true,
    description: 'The EPSS score of the CVE; null without a CVE or a score.',
  })
  epss!: EpssResponse | null;

  @ResponseField.one(KevResponse, {
    nullable: true,
    description: 'The entry of the CVE in the catalog of known exploited vulnerabilities of CISA, or null.',
  })
  kev!: KevResponse | null;

  @ResponseField.one(AcceptedCheckOfFindingResponse, {
    nullable: true,
    description:
      'The check that an admin accepted on an asset, so that the finding does not fail jobs; otherwise null.',
  })
  accepted_check!: AcceptedCheckOfFindingResponse | null;
  @ResponseField.integer({ nullable: true, description: 'The member of the organization who is to fix it.' })
  assignee_id!: number | null;

  @ResponseField.day({
    nullable: true,
    description: 'The last day to fix it. It follows from the SLA of the organization unless it was set by hand.',
  })
  due_date!: string | null;

  @ResponseField.strings({ description: 'In lower case, in alphabetical order.' })
  labels!: string[];

  @ResponseField.one(BeliefResponse)
  belief!: BeliefResponse;

  @ResponseField.one(VerificationResponse)
  verification!: VerificationResponse;

  @ResponseField.boolean({
    description: 'Whether an admin allowed its check to send requests that may change state on the target.',
  })
  allow_unsafe!: boolean;

  @ResponseField.integer({
    nullable: true,
    description:
      'The finding into which it is merged. Lists, counts and reports leave it out, and it cannot be changed.',
  })
  merged_into!: number | null;

  @ResponseField.one(EditedResponse, {
    nullable: true,
    description:
      'Set if people have changed its texts or its severity. GET /v1/findings/{finding_id}/edits has the details.',
  })
  edited!: EditedResponse | null;

  @ResponseField.instant()
  created!: string;
}

export class FindingListResponse {
  @ResponseField.list(FindingResponse)
  findings!: FindingResponse[];
}

const numberOf = (numeric: string | null): number | null => (numeric === null ? null : Number(numeric));

/** Builds every finding of a response, so that no other column is returned. */
export const presentFinding = (finding: PresentedFinding): FindingResponse => ({
  id: finding.id,
  title: finding.title,
  md: finding.md,
  html: finding.html,
  asset_id: finding.assetId,
  asset_value: finding.assetValue,
  status: finding.status,
  previous_status: finding.previousStatus,
  requested_score: numberOf(finding.requestedScore),
  event_id: finding.eventId,
  severity: SEVERITIES[finding.severity],
  priority: finding.priority,
  score: numberOf(finding.score),
  cve: finding.cve,
  other_cves: finding.otherCves,
  cwe: finding.cwe,
  cvss_vector: finding.cvssVector,
  references: finding.references,
  epss: presentEpss(finding.vulnerability?.epss ?? null),
  kev: presentKev(finding.vulnerability?.kev ?? null),
  accepted_check: finding.acceptedCheck === undefined ? null : presentAcceptedCheckOfFinding(finding.acceptedCheck),
  assignee_id: finding.assigneeId,
  due_date: finding.dueDate,
  labels: finding.labels,
  belief: presentBelief(finding),
  verification: {
    result: finding.verification,
    reason: finding.verificationReason ?? NO_CHECK,
    tested_at: finding.verifiedAt?.toISOString() ?? null,
  },
  allow_unsafe: finding.allowUnsafe,
  merged_into: finding.mergedInto,
  edited: finding.edits === null ? null : presentEdited(finding.edits),
  created: finding.created.toISOString(),
});

export const findingExample: FindingResponse = {
  id: 4711,
  title: 'TLS 1.0 is offered',
  md: 'The server accepts **TLS 1.0**.',
  html: '<p>The server accepts <strong>TLS 1.0</strong>.</p>\n',
  asset_id: 42,
  asset_value: 'www.example.com',
  status: 1,
  previous_status: null,
  requested_score: null,
  event_id: 3,
  severity: 'medium',
  priority: 3,
  score: 5.9,
  cve: null,
  other_cves: [],
  cwe: 327,
  cvss_vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N',
  references: ['https://datatracker.ietf.org/doc/html/rfc8996'],
  epss: null,
  kev: null,
  accepted_check: null,
  assignee_id: 12,
  due_date: '2026-05-01',
  labels: ['pci', 'shop'],
  belief: { value: 'proved', since: '2026-01-31T12:00:05.000Z' },
  verification: {
    result: 'confirmed',
    reason: 'the server accepts TLS 1.0',
    tested_at: '2026-01-31T12:00:05.000Z',
  },
  allow_unsafe: false,
  merged_into: null,
  edited: null,
  created: '2026-01-31T12:00:00.000Z',
};

export class FindingStatusResponse {
  @ResponseField.string({ enum: ['updated', 'unchanged'] })
  result!: string;

  @ResponseField.string({ description: 'The id of the finding, as a string.' })
  finding_id!: string;
}

export const presentStatusChange = (id: number, result: string): FindingStatusResponse => ({
  result,
  finding_id: String(id),
});
