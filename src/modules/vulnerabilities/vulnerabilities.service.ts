import { Injectable } from '@nestjs/common';
import { dayOf } from '../../kernel/day';
import { type CveRow, VulnerabilitiesRepository } from './data/vulnerabilities.repository';
import { type Epss, type Kev, type KnownVulnerability } from './domain/known-vulnerability';

/** Loaded data is shown within this time. */
const RECENT_MS = 2_000;
const RECENT_CVES = 10_000;

interface RecentVulnerability extends KnownVulnerability {
  /** The loaded files that this comes from. */
  readonly files: string;
}

/** What the loaded files say about CVEs. */
@Injectable()
export class VulnerabilitiesService {
  /** No LRU cache: a look-up in one takes 1 µs, and pages of findings look up each CVE. */
  private readonly recent = new Map<string, RecentVulnerability>();
  private files: string | undefined;
  private filesRead = -RECENT_MS;

  constructor(private readonly repository: VulnerabilitiesRepository) {}

  /** For display. What was read is cached until other files are loaded. A page of findings then takes one statement. */
  async recentlyKnownOf(cves: readonly string[]): Promise<ReadonlyMap<string, KnownVulnerability>> {
    await this.readFiles();
    const known = new Map<string, KnownVulnerability>();
    const missing: string[] = [];
    for (const cve of cves) {
      const recent = this.recent.get(cve);
      if (recent === undefined || recent.files !== this.files) missing.push(cve);
      else known.set(cve, recent);
    }
    if (this.recent.size + missing.length > RECENT_CVES) this.recent.clear();
    for (const row of await this.read(missing)) {
      const recent = { epss: epssOf(row), kev: kevOf(row), files: row.files };
      this.recent.set(row.cve, recent);
      known.set(row.cve, recent);
    }
    return known;
  }

  /** Contains each of these CVEs. One statement, and none without a CVE. */
  async knownOf(cves: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, KnownVulnerability>> {
    const rows = await this.read(cves.filter((cve) => cve != null));
    return new Map(rows.map((row) => [row.cve, { epss: epssOf(row), kev: kevOf(row) }]));
  }

  private async read(cves: readonly string[]): Promise<CveRow[]> {
    return cves.length === 0 ? [] : this.repository.listOf([...new Set(cves)]);
  }

  private async readFiles(): Promise<void> {
    const now = performance.now();
    if (now - this.filesRead < RECENT_MS) return;
    this.filesRead = now;
    this.files = await this.repository.findFiles();
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
