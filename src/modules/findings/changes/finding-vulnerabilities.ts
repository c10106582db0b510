import { Injectable } from '@nestjs/common';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY, VulnerabilitiesService, worstOf } from '../../vulnerabilities';
import type { FindingRow } from '../data/finding.entity';

/** What a finding stores of what is known about its CVEs: of the worst of them. */
type StoredCopy = Pick<FindingRow, 'epss' | 'kev'>;

interface WithCves {
  readonly cve?: string | null;
  readonly otherCves?: readonly string[];
}

const cvesOf = ({ cve, otherCves = [] }: WithCves): string[] => [...(cve == null ? [] : [cve]), ...otherCves];

/** Adds to findings what is known about their CVEs. */
@Injectable()
export class FindingVulnerabilities {
  constructor(private readonly vulnerabilities: VulnerabilitiesService) {}

  async addTo<F extends WithCves>(
    findings: readonly F[],
  ): Promise<(F & { readonly vulnerability: KnownVulnerability })[]> {
    const knownOf = await this.knownOf(findings);
    // The spread comes last: V8 keeps large objects to which a member is added after a spread in a slower form.
    return findings.map((finding) => ({ vulnerability: knownOf(finding), ...finding }));
  }

  /** What these findings store. */
  async copiesOf(findings: readonly WithCves[]): Promise<(finding: WithCves) => StoredCopy> {
    const knownOf = await this.knownOf(findings);
    return (finding) => {
      const { epss, kev } = knownOf(finding);
      return { epss: epss?.score ?? null, kev: kev !== null };
    };
  }

  /** One statement for all of them, and none if no finding has a CVE. */
  private async knownOf(findings: readonly WithCves[]): Promise<(finding: WithCves) => KnownVulnerability> {
    const known = await this.vulnerabilities.knownOf(findings.flatMap(cvesOf));
    return (finding) => worstOf(cvesOf(finding).map((cve) => known.get(cve) ?? UNKNOWN_VULNERABILITY));
  }
}
