import type { Mutant } from '../mutant';

const spec = 'test/e2e/finding-attachments.spec.ts';
const portal = 'test/e2e/portal-attachments.spec.ts';
const service = 'src/modules/findings/changes/finding-attachments.service.ts';
const repository = 'src/modules/findings/changes/data/finding-attachments.repository.ts';

/** Files that people attach to findings. */
export const attachments: readonly Mutant[] = [
  {
    name: 'a member deletes the attachment of another',
    file: service,
    search: "if (!isWrittenBy(attachment, caller.actor)) caller.requireRole('admin', of.organizationId);",
    replace: 'void isWrittenBy;',
    spec,
    test: 'can be deleted by the person who attached it and by admins',
  },
  {
    name: 'an attachment is read through another finding',
    file: repository,
    search: 'WHERE a.id = ${id} AND a.finding_id = ${findingId} AND',
    replace: 'WHERE a.id = ${id} AND ${findingId} > 0 AND',
    spec,
    test: 'belongs to its finding and its organization',
  },
  {
    name: 'a finding has more than twenty attachments',
    file: service,
    search: '>= MAX_ATTACHMENTS) throw',
    replace: '>= 1_000) throw',
    spec,
    test: 'are twenty attachments per finding',
  },
  {
    name: 'the bytes of attachments have no limit',
    file: 'migrations/1796800010000-add-finding-attachments.ts',
    search: 'PERFORM stored_rows_check(own.organization_id, TG_TABLE_NAME)',
    replace: 'PERFORM own.organization_id',
    spec,
    test: 'are a number of bytes per organization',
  },
  {
    name: 'what only begins as a picture is shown as one',
    file: service,
    search: 'if (error instanceof DomainError) return null;',
    replace: 'if (error instanceof DomainError) return type;',
    spec,
    test: 'is only downloaded:',
  },
  {
    name: 'an interrupted upload of an attachment stays',
    file: service,
    search: 'this.transactions.outside(() => this.attachments.remove(upload))',
    replace: 'Promise.resolve(upload)',
    spec,
    test: 'that is interrupted leaves nothing',
  },
  {
    name: 'the portal shows what is no picture',
    file: 'src/portal/findings/attachments.controller.ts',
    search: "if (found.attachment.mediaType === null) throw notFound('Picture');",
    replace: 'void notFound;',
    spec: portal,
    test: 'are attached, shown if they are pictures',
  },
];
