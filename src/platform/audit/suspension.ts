import type { AuditEntry } from './audit-entry';

/** What stays possible while an organization is suspended: its deletion, reads that have an entry, and signing in for reads. */
const ALLOWED_OPERATIONS: ReadonlySet<string> = new Set([
  'organization.delete',
  'audit_log.list',
  'finding.export',
  'job.allow_incomplete',
  'session.create',
  'session.challenge',
  'session.break_glass',
  'session.end',
  'beacon.status_change',
]);

/** Whether the organization of the entry must not be suspended. What the service itself does continues. */
export const needsActiveOrganization = ({ status, actor, operation }: AuditEntry): boolean =>
  status === 'success' && actor.type !== 'system' && !ALLOWED_OPERATIONS.has(operation);
