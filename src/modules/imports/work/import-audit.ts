import type { AuditDescription } from '../../../platform/audit/audit-entry';
import type { Actor } from '../../../platform/api/caller';
import type { BegunImport } from '../data/import.entity';

/** The caller who uploaded the file. What it changes is done in their name. */
export const uploaderOf = ({ actorType, actorId }: BegunImport): Actor => ({ type: actorType, id: actorId });

/** The caller who undoes the import. Of those that began before an upgrade nobody knows who it was. */
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
