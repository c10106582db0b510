import { Injectable } from '@nestjs/common';
import { dayOf } from '../../kernel/day';
import { type CveRow, VulnerabilitiesRepository } from './data/vulnerabilities.repository';
import type { Epss, Kev, KnownVulnerability } from './domain/known-vulnerability';

/** What the loaded files say about CVEs. */
@Injectable()
export class VulnerabilitiesService {
  constructor(private readonly repository: VulnerabilitiesRepository) {}

  /** Contains each of these CVEs. One statement, and none without a CVE. */
  async knownOf(cves: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, KnownVulnerability>> {
    const wanted = [...new Set(cves.filter((cve) => cve != null))];
    if (wanted.length === 0) return new Map();
    const rows = await this.repository.listOf(wanted);
    return new Map(rows.map((row) => [row.cve, { epss: epssOf(row), kev: kevOf(row) }]));
  }
}

const epssOf = ({ score, percentile, epssReleased, epssVersion }: CveRow): Epss | null =>
  score === null || percentile === null || epssReleased === null
    ? null
    : { score, percentile, date: dayOf(epssReleased), source: `FIRST EPSS ${epssVersion}` };

const kevOf = ({ dateAdded, dueDate, ransomware, kevReleased, kevVersion }: CveRow): Kev | null =>
  dateAdded === null || kevReleased === null
    ? null
    : { dateAdded, dueDate, ransomware: ransomware === true, source: `CISA KEV ${kevVersion}`, released: kevReleased };
