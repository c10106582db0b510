import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LIMIT_CLASSES, type LimitClass, LIMIT_NAMES } from '../api/limit-class';
import { Config } from '../config/load-config';
import { Database } from '../database/database';
import { sql } from '../database/sql';
import { PeriodicTask } from '../work/periodic-task';

type Limits = Readonly<Record<LimitClass, number>>;
type LimitsRow = { readonly organizationId: number } & Readonly<
  Record<(typeof LIMIT_NAMES)[LimitClass], number | null>
>;

const REFRESH_MS = 1_000;

/**
 * The limits of one key: of the installation, or of an organization for which the operator has set others. These are few, so a
 * process reads all of them every second, and no request reads any.
 */
@Injectable()
export class OrganizationLimits implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('limits');
  private readonly ofInstallation: Limits;
  private ofOrganizations: ReadonlyMap<number, Limits> = new Map();
  private refreshing: PeriodicTask | undefined;
  private hasFailed = false;

  constructor(
    config: Config,
    private readonly database: Database,
  ) {
    this.ofInstallation = {
      read: config.LIMIT_READS_PER_MINUTE,
      write: config.LIMIT_WRITES_PER_MINUTE,
      launch: config.LIMIT_LAUNCHES_PER_MINUTE,
      retest: config.LIMIT_RETESTS_PER_MINUTE,
      import: config.LIMIT_IMPORTS_PER_MINUTE,
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    this.refreshing = new PeriodicTask(
      REFRESH_MS,
      () => this.refresh(),
      () => undefined,
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.refreshing?.stop();
  }

  of(organizationId: number | undefined): Limits {
    return (organizationId !== undefined && this.ofOrganizations.get(organizationId)) || this.ofInstallation;
  }

  /** Keeps what it knows while the database is unavailable. */
  private async refresh(): Promise<void> {
    try {
      const rows = await this.database.rows<LimitsRow>(
        sql`SELECT organization_id AS "organizationId", reads, writes, launches, retests, imports FROM organization_limits`,
      );
      this.ofOrganizations = new Map(rows.map((row) => [row.organizationId, this.limitsIn(row)]));
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn(`the limits of organizations could not be read: ${String(error)}`);
      this.hasFailed = true;
    }
  }

  private limitsIn(row: LimitsRow): Limits {
    const entries = LIMIT_CLASSES.map((name) => [name, row[LIMIT_NAMES[name]] ?? this.ofInstallation[name]] as const);
    return Object.fromEntries(entries) as Limits;
  }
}
