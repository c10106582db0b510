import type { AuditDescription } from '../../../platform/audit/audit-entry';
import type { Actor } from '../../../platform/api/caller';
import type { BegunImport } from '../data/import.entity';

/** The caller who uploaded the file. The import makes its changes as this caller. */
export const uploaderOf = ({ actorType, actorId }: BegunImport): Actor => ({ type: actorType, id: actorId });

/** The caller who undoes the import. For one that began before an upgrade, this is not known. */
export const undoerOf = (begun: BegunImport): Actor => {
  const { undoneByType, undoneById } = begun;
  return undoneByType === null || undoneById === null ? uploaderOf(begun) : { type: undoneByType, id: undoneById };
};

export const importAudit = (
  { id, organizationId }: BegunImport,
  operation: string,
  actor: Actor,
): AuditDescription => ({
  actor,
  operation,
  resourceType: 'import',
  resourceId: String(id),
  organizationId,
});
