import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { dayOf } from '../../kernel/day';
import { type CveRow, VulnerabilitiesRepository } from './data/vulnerabilities.repository';
import { type Epss, type Kev, type KnownVulnerability, UNKNOWN_VULNERABILITY } from './domain/known-vulnerability';

/** Loaded data is shown within this time. */
const RECENT_MS = 2_000;
const RECENT_CVES = 10_000;

/** What the loaded files say about CVEs. */
@Injectable()
export class VulnerabilitiesService {
  private readonly recent = new LRUCache<string, KnownVulnerability>({ max: RECENT_CVES, ttl: RECENT_MS });

  constructor(private readonly repository: VulnerabilitiesRepository) {}

  /** For showing: what was read a moment ago is not read again. A page of findings then takes one statement instead of two. */
  async recentlyKnownOf(cves: readonly string[]): Promise<ReadonlyMap<string, KnownVulnerability>> {
    const known = new Map(cves.map((cve) => [cve, this.recent.get(cve)]));
    const missing = cves.filter((cve) => known.get(cve) === undefined);
    const read = await this.knownOf(missing);
    for (const [cve, vulnerability] of read) this.recent.set(cve, vulnerability);
    return new Map(
      [...known].map(([cve, vulnerability]) => [cve, vulnerability ?? read.get(cve) ?? UNKNOWN_VULNERABILITY]),
    );
  }

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
