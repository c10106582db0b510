/** What both metrics and `status` of the command line read of the whole installation. */

/** The share of a limit of stored rows or bytes above which an organization is near it. Those below half of it are not read. */
const NEAR = 0.9;

export const NEAR_LIMIT = `
  SELECT count(DISTINCT n.organization_id)::int AS near_limit
  FROM stored_rows_near_limit n JOIN organizations o ON o.id = n.organization_id AND o.deleted_at IS NULL
  JOIN stored_limits l ON l.name = n.name
  WHERE l.most * ${NEAR} < (SELECT sum(CASE WHEN l.name = 'bytes' THEN s.bytes ELSE s.rows END) FROM stored_rows s
    WHERE s.organization_id = n.organization_id AND (l.name = 'bytes' OR s.table_name = l.name))`;

/** Beyond the current month. Entries of later months go to one partition, which is hard to divide. */
export const AUDIT_MONTHS_AHEAD = `
  SELECT greatest(0, extract(year FROM ahead) * 12 + extract(month FROM ahead) - 1)::int AS audit_months_ahead
  FROM pg_class CROSS JOIN LATERAL age(
    audit_logs_time_of(substring(pg_get_expr(relpartbound, oid) FROM '[0-9a-f-]{36}')::uuid) AT TIME ZONE 'UTC',
    date_trunc('month', now() AT TIME ZONE 'UTC')) AS ahead
  WHERE oid = 'audit_logs_next'::regclass`;

/** Counted up to 100,000. */
export const FEED_BACKLOG = `
  SELECT count(*)::int AS changes, coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS oldest_seconds
  FROM (SELECT at FROM feed_outbox LIMIT 100000) waiting`;
