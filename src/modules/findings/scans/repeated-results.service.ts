import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../kernel/group-by';
import { SEVERITIES, severityNumber } from '../../../kernel/severity';
import { system } from '../../../platform/api/caller';
import { AssetTotalsRepository } from '../changes/data/asset-totals.repository';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSlaRepository } from '../changes/data/finding-sla.repository';
import type { ScannedFinding, SeverityNumber } from '../data/finding.entity';
import { MergedFindingsRepository } from './data/merged-findings.repository';
import { ScannedFindingsRepository } from './data/scanned-findings.repository';
import { ChangesOfTotals } from '../changes/changes-of-totals';
import { type FieldChange, fieldChange } from '../domain/field-change';
import { isLower, storedSeverityOf } from '../domain/pins';
import { priorityFactsOf, priorityOf } from '../domain/priority';
import { defaultSla, dueDateOfFinding, type Sla } from '../domain/sla';
import { FindingVulnerabilities } from '../changes/finding-vulnerabilities';
import type { SeenFinding } from './seen-finding';

/** A result of a file for a known finding. */
export type RepeatedResult = Pick<SeenFinding, 'severity' | 'score' | 'cvssVector' | 'cve' | 'otherCves'> & {
  readonly findingId: number;
  /** When it was seen; null if the file itself has created the finding. */
  readonly seenAt: Date | null;
  /** Whether a check of this service has seen it: then only a lowered severity stays pinned, which takes an admin. */
  readonly isProof?: boolean;
};

/** Per finding. */
const MAX_CVES = 200;

/**
 * Adds to findings what later results say: a higher severity, unless the result is older than what is known, and further CVEs. A
 * lower severity is left to people, because gates depend on it.
 */
@Injectable()
export class RepeatedResultsService {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly merged: MergedFindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly slas: FindingSlaRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
  ) {}

  /** Call it in the unit of work that records the results. Returns whether any finding has changed. */
  async amend(organizationId: number, results: readonly RepeatedResult[]): Promise<boolean> {
    if (results.length === 0) return false;
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const byId = groupBy(results, ({ findingId }) => findingId);
    const findings = await this.merged.lockByIds(organizationId, [...byId.keys()]);
    const amended = findings.map((finding) => ({
      ...finding,
      ...amendedFields(finding, byId.get(finding.id) ?? [], sla),
    }));
    const copyOf = await this.vulnerabilities.copiesOf(amended);
    const totals = new ChangesOfTotals();
    let isChanged = false;
    for (const [index, finding] of findings.entries()) {
      const after = amended[index];
      if (after === undefined || isDeepStrictEqual(after, finding)) continue;
      isChanged = true;
      const copy = copyOf(after);
      const priority = priorityOf(priorityFactsOf({ ...after, ...copy }));
      await this.findings.saveAmended({ ...after, ...copy, priority });
      const changes = amendments(finding, after);
      const isProof = byId.get(finding.id)?.some((one) => one.isProof) === true;
      const reason = isProof ? 'Its check has shown the weakness.' : 'The imported file says so.';
      if (changes.length > 0) await this.history.addEdit(system, after, changes, reason);
      // Totals only count main findings.
      if (finding.mergedInto === null) totals.add(finding.assetId, finding, after);
    }
    await totals.save(this.totals, organizationId);
    return isChanged;
  }
}

const amendments = (from: ScannedFinding, to: ScannedFinding): readonly FieldChange[] =>
  [
    fieldChange('severity', SEVERITIES[from.severity], SEVERITIES[to.severity]),
    fieldChange('score', from.score, to.score),
    fieldChange('cvss_vector', from.cvssVector, to.cvssVector),
    fieldChange('cve', from.cve, to.cve),
    fieldChange('due_date', from.dueDate, to.dueDate),
  ].filter((change) => change !== undefined);

function amendedFields(finding: ScannedFinding, results: readonly RepeatedResult[], sla: Sla) {
  const named = [finding, ...results].flatMap(({ cve, otherCves = [] }) => [cve, ...otherCves]);
  const [cve = null, ...otherCves] = [...new Set(named.filter((one) => one != null))].slice(0, MAX_CVES);
  const newest = results.filter(({ seenAt }) => seenAt === null || seenAt >= finding.lastSeen);
  const worst = newest.reduce<RepeatedResult | null>(
    (one, other) => (one === null || severityNumber(other.severity) > severityNumber(one.severity) ? other : one),
    null,
  );
  const { severity: stated, ...pins } = finding.edits?.pins ?? {};
  if (worst === null) return { cve, otherCves };
  const severity = severityNumber(worst.severity) as SeverityNumber;
  // A person who raised the earlier severity did not lower it against a proof.
  const isRaisedPin = worst.isProof === true && stated !== undefined && !isLower(finding, stated);
  const isPinned = stated !== undefined && !(isRaisedPin && severity > finding.severity);
  if (severity <= (isPinned ? stated : finding).severity) return { cve, otherCves };
  if (finding.edits !== null && isPinned)
    return { cve, otherCves, edits: { ...finding.edits, pins: { ...pins, severity: storedSeverityOf(worst) } } };
  const { score, cvssVector } = worst;
  const dueDate = dueDateOfFinding(sla, { ...finding, severity });
  const edits = finding.edits === null ? null : { ...finding.edits, pins };
  return { cve, otherCves, severity, score: score?.toFixed(1) ?? null, cvssVector, dueDate, edits };
}
