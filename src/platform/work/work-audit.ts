import { system } from '../api/caller';
import type { AuditDescription } from '../audit/audit-entry';
import type { Claim } from './claim';

/** The audit entry of what a worker does with a claim. The reference of most work is the id of its record. */
export const workAudit = (
  { reference: resourceId, organizationId, trace }: Claim,
  description: Omit<AuditDescription, 'actor' | 'trace'>,
): AuditDescription => ({ actor: system, resourceId, organizationId, trace, ...description });
