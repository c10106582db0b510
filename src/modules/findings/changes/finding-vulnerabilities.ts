import { Injectable } from '@nestjs/common';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY, VulnerabilitiesService, worstOf } from '../../vulnerabilities';
import type { FindingRow } from '../data/finding.entity';

/** The data about the worst of its CVEs that a finding stores as a copy. */
type StoredCopy = Pick<FindingRow, 'epss' | 'kev'>;

interface WithCves {
  readonly cve?: string | null;
  readonly otherCves?: readonly string[];
}

const hasCves = ({ cve, otherCves = [] }: WithCves): boolean => cve != null || otherCves.length > 0;

const cvesOf = ({ cve, otherCves = [] }: WithCves): string[] => [...(cve == null ? [] : [cve]), ...otherCves];

/** Adds public data about their CVEs to findings. */
@Injectable()
export class FindingVulnerabilities {
  constructor(private readonly vulnerabilities: VulnerabilitiesService) {}

  async addTo<F extends WithCves>(
    findings: readonly F[],
  ): Promise<(F & { readonly vulnerability?: KnownVulnerability })[]> {
    const withCves = findings.filter(hasCves);
    if (withCves.length === 0) return [...findings];
    const knownOf = worstIn(await this.vulnerabilities.recentlyKnownOf(withCves.flatMap(cvesOf)));
    // Assigned in place: copying fifty findings would cost 5 % of the processor time of a page.
    for (const finding of withCves) Object.assign(finding, { vulnerability: knownOf(finding) });
    return [...findings];
  }

  /** Returns the values that these findings store. */
  async copiesOf(findings: readonly WithCves[]): Promise<(finding: WithCves) => StoredCopy> {
    const knownOf = worstIn(await this.vulnerabilities.knownOf(findings.flatMap(cvesOf)));
    return (finding) => {
      const { epss, kev } = knownOf(finding);
      return { epss: epss?.score ?? null, kev: kev !== null };
    };
  }
}

const worstIn =
  (known: ReadonlyMap<string, KnownVulnerability>) =>
  (finding: WithCves): KnownVulnerability =>
    worstOf(cvesOf(finding).map((cve) => known.get(cve) ?? UNKNOWN_VULNERABILITY));
