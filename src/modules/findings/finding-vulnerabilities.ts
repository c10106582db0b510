import { Injectable } from '@nestjs/common';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY, VulnerabilitiesService } from '../vulnerabilities';

/** Adds to findings what is known about their CVEs. */
@Injectable()
export class FindingVulnerabilities {
  constructor(private readonly vulnerabilities: VulnerabilitiesService) {}

  /** One statement for all of them, and none if no finding has a CVE. */
  async addTo<F extends { readonly cve: string | null }>(
    findings: readonly F[],
  ): Promise<(F & { readonly vulnerability: KnownVulnerability })[]> {
    const known = await this.vulnerabilities.knownOf(findings.map(({ cve }) => cve));
    return findings.map((finding) => ({
      ...finding,
      vulnerability: known.get(finding.cve ?? '') ?? UNKNOWN_VULNERABILITY,
    }));
  }

  /** As a finding stores it. */
  async copyOf(cve: string | null | undefined): Promise<{ readonly epss: number | null; readonly kev: boolean }> {
    const known = (await this.vulnerabilities.knownOf([cve])).get(cve ?? '');
    return { epss: known?.epss?.score ?? null, kev: known?.kev != null };
  }
}
