import { SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import { LIKELY_EPSS, PRIORITY_FACTORS } from '../domain/priority';
import type { ExplainedFinding } from '../lists/finding-lists';
import { EpssResponse, KevResponse, presentEpss, presentKev } from './vulnerability.responses';

const PRIORITIES = [1, 2, 3, 4, 5] as const;

export class PriorityReasonResponse {
  @ResponseField.string({ enum: PRIORITY_FACTORS })
  factor!: string;

  @ResponseField.integer({ description: 'By how many steps it makes the finding more urgent. The severity has none.' })
  steps!: number;

  @ResponseField.string()
  text!: string;
}

export class PriorityChangeResponse {
  @ResponseField.string({ enum: PRIORITY_FACTORS })
  factor!: string;

  @ResponseField.integer({ enum: PRIORITIES, description: 'The priority that the finding would have.' })
  priority!: number;

  @ResponseField.string()
  text!: string;
}

export class FindingPriorityResponse {
  @ResponseField.integer()
  finding_id!: number;

  @ResponseField.integer({ enum: PRIORITIES, description: '1 is the most urgent.' })
  priority!: number;

  @ResponseField.integer({ enum: PRIORITIES, description: 'The priority of the severity alone.' })
  base!: number;

  @ResponseField.string({ enum: SEVERITIES })
  severity!: string;

  @ResponseField.integer({ nullable: true, description: 'The tier of the asset when the finding was recorded.' })
  asset_tier!: number | null;

  @ResponseField.string({ nullable: true })
  cve!: string | null;

  @ResponseField.one(EpssResponse, { nullable: true })
  epss!: EpssResponse | null;

  @ResponseField.number({ description: 'The EPSS score from which exploitation counts as likely.' })
  epss_threshold!: number;

  @ResponseField.one(KevResponse, { nullable: true })
  kev!: KevResponse | null;

  @ResponseField.list(PriorityReasonResponse)
  reasons!: PriorityReasonResponse[];

  @ResponseField.list(PriorityChangeResponse)
  changes!: PriorityChangeResponse[];
}

export const presentPriority = (explained: ExplainedFinding): FindingPriorityResponse => ({
  finding_id: explained.finding.id,
  priority: explained.priority,
  base: explained.base,
  severity: SEVERITIES[explained.finding.severity],
  asset_tier: explained.finding.assetTier,
  cve: explained.finding.cve,
  epss: presentEpss(explained.vulnerability.epss),
  epss_threshold: LIKELY_EPSS,
  kev: presentKev(explained.vulnerability.kev),
  reasons: explained.reasons.map(({ factor, steps, text }) => ({ factor, steps, text })),
  changes: explained.changes.map(({ factor, priority, text }) => ({ factor, priority, text })),
});

export const findingPriorityExample: FindingPriorityResponse = {
  finding_id: 4711,
  priority: 3,
  base: 4,
  severity: 'low',
  asset_tier: null,
  cve: 'CVE-2014-0160',
  epss: { score: 0.94464, percentile: 0.99988, date: '2026-01-31', source: 'FIRST EPSS v2025.03.14' },
  epss_threshold: 0.5,
  kev: null,
  reasons: [
    { factor: 'severity', steps: 0, text: 'The severity low has the priority 4.' },
    { factor: 'epss', steps: 1, text: 'The EPSS score 0.94464 is at least 0.5: one step.' },
  ],
  changes: [
    { factor: 'severity', priority: 2, text: 'With the severity medium.' },
    { factor: 'severity', priority: 4, text: 'With the severity info.' },
    { factor: 'tier', priority: 2, text: 'On an asset of tier 1.' },
    { factor: 'kev', priority: 2, text: 'If the CVE becomes known to be exploited (CISA KEV).' },
    { factor: 'epss', priority: 4, text: 'If the EPSS score falls below 0.5.' },
  ],
};
