import { Injectable } from '@nestjs/common';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY, VulnerabilitiesService } from '../vulnerabilities';
import type { FindingRow } from './data/finding.entity';

/** What a finding stores of what is known about its CVE. */
type StoredCopy = Pick<FindingRow, 'epss' | 'kev'>;

/** Adds to findings what is known about their CVEs. */
@Injectable()
export class FindingVulnerabilities {
  constructor(private readonly vulnerabilities: VulnerabilitiesService) {}

  /** One statement for all of them, and none if no finding has a CVE. */
  async addTo<F extends { readonly cve: string | null }>(
    findings: readonly F[],
  ): Promise<(F & { readonly vulnerability: KnownVulnerability })[]> {
    const known = await this.vulnerabilities.knownOf(findings.map(({ cve }) => cve));
    // The spread comes last: V8 keeps large objects to which a member is added after a spread in a slower form.
    return findings.map((finding) => ({
      vulnerability: known.get(finding.cve ?? '') ?? UNKNOWN_VULNERABILITY,
      ...finding,
    }));
  }

  /** What findings with these CVEs store. */
  async copiesOf(
    cves: readonly (string | null | undefined)[],
  ): Promise<(cve: string | null | undefined) => StoredCopy> {
    const known = await this.vulnerabilities.knownOf(cves);
    return (cve) => {
      const { epss, kev } = known.get(cve ?? '') ?? UNKNOWN_VULNERABILITY;
      return { epss: epss?.score ?? null, kev: kev !== null };
    };
  }
}
