import { Injectable } from '@nestjs/common';
import { dayOf } from '../../kernel/day';
import { SEVERITIES, severityNumber } from '../../kernel/severity';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import { FindingSlaRepository } from './data/finding-sla.repository';
import type { SeverityNumber } from './data/finding.entity';
import { ScannedFindingsRepository } from './data/scanned-findings.repository';
import { ChangesOfTotals } from './changes-of-totals';
import { priorityOf } from './domain/priority';
import { severityOfScan } from './domain/severity-of-finding';
import { defaultSla, dueDateOf } from './domain/sla';
import type { ScannedDraft } from './scanned-findings.service';

/** A result that is more severe than its finding. */
export type RaisingResult = Pick<ScannedDraft, 'severity' | 'cvssVector'> & { readonly findingId: number };

/** Raises the severity of findings that a file of a scanner has created, and then has again with a higher one. */
@Injectable()
export class ScannedSeveritiesService {
  constructor(
    private readonly findings: ScannedFindingsRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly slas: FindingSlaRepository,
  ) {}

  /** Call it in the unit of work that records the results. */
  async raise(organizationId: number, results: readonly RaisingResult[]): Promise<void> {
    if (results.length === 0) return;
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const byId = new Map(results.map((result) => [result.findingId, result]));
    const totals = new ChangesOfTotals();
    for (const finding of await this.findings.lockByIds(organizationId, [...byId.keys()])) {
      const result = byId.get(finding.id);
      if (result === undefined || finding.mergedInto !== null) continue;
      const rating = severityOfScan(result);
      const severity = severityNumber(rating.severity) as SeverityNumber;
      if (SEVERITIES[finding.severity] === rating.severity || severity < finding.severity) continue;
      const start = finding.deadlineStart ?? dayOf(finding.created);
      const dueDate = finding.dueByHand ? finding.dueDate : dueDateOf(sla, rating.severity, start);
      const priority = priorityOf({ ...finding, severity: rating.severity, tier: finding.assetTier });
      const change = { id: finding.id, ...rating, severity, priority, dueDate };
      await this.findings.saveSeverity(change);
      totals.add(finding.assetId, finding, { ...finding, severity });
    }
    await totals.save(this.totals, organizationId);
  }
}
