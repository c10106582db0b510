import { Injectable } from '@nestjs/common';
import { packageVersion } from '../../kernel/package-version';
import { Database } from '../database/database';
import { AUDIT_MONTHS_AHEAD, FEED_BACKLOG, NEAR_LIMIT } from '../database/installation-queries';
import { raw } from '../database/sql';
import { Metrics } from '../metrics/metrics';

/** What an operator must know of an installation besides its queue. */
@Injectable()
export class InstallationMetrics {
  constructor(database: Database, metrics: Metrics) {
    const build = metrics.gauge({
      name: 'assay_build_info',
      help: 'The versions of this process; its value is 1',
      labels: { version: [packageVersion], node: [process.version] },
    });
    const backlog = metrics.gauge({
      name: 'assay_feed_waiting_changes',
      help: 'Changes of the whole installation that have no position in the feed yet (counted up to 100000)',
    });
    const near = metrics.gauge({
      name: 'assay_organizations_near_limit',
      help: 'Organizations of the whole installation that have more than 90 % of a limit of stored rows or bytes',
    });
    const months = metrics.gauge({
      name: 'assay_audit_months_ahead',
      help: 'Months after the current one for which the audit log has a partition',
    });
    build.set({ version: packageVersion, node: process.version }, 1);
    metrics.onScrape('installation', [backlog, near, months], async () => {
      const feed = await database.row<{ changes: number }>(raw(FEED_BACKLOG));
      const limits = await database.row<{ near_limit: number }>(raw(NEAR_LIMIT));
      const log = await database.row<{ audit_months_ahead: number }>(raw(AUDIT_MONTHS_AHEAD));
      return () => {
        if (feed !== undefined) backlog.set({}, feed.changes);
        if (limits !== undefined) near.set({}, limits.near_limit);
        if (log !== undefined) months.set({}, log.audit_months_ahead);
      };
    });
  }
}
