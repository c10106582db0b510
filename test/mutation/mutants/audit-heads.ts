import type { Mutant } from '../mutant';

const heads = 'test/e2e/audit-heads.spec.ts';
const trees = 'test/e2e/audit-trees.spec.ts';
const repository = 'src/modules/audit/data/audit-heads.repository.ts';
const task = 'src/modules/audit/work/audit-head-signing.ts';
const verification = 'clients/sdk/src/verify-audit.ts';

/** Trees of the audit log, their heads, and who verifies them. */
export const auditHeads: readonly Mutant[] = [
  {
    name: 'heads: an entry that commits late is skipped',
    file: repository,
    search: 'Math.max(start, tree.lastTime - LATE_MS)',
    replace: 'Math.max(start, tree.lastTime + 1)',
    spec: heads,
    test: 'takes an entry that was committed after later ones, once',
  },
  {
    name: 'heads: entries are put into the tree twice',
    file: repository,
    search: 'AND NOT EXISTS (SELECT 1 FROM known WHERE known.id = l.id)',
    replace: '',
    spec: heads,
    test: 'takes an entry that was committed after later ones, once',
  },
  {
    name: 'heads: no whole month is ever compared',
    file: task,
    search: 'now.getUTCHours() === organizationId % 24',
    replace: 'false',
    spec: heads,
    test: 'takes what is later than a day in one hour of the day',
  },
  {
    name: 'heads: a tree whose leaves were archived begins again',
    file: repository,
    search: 'if (await this.isRemoved(organizationId, month, tree.size)) return false;',
    replace: '',
    spec: heads,
    test: 'does not begin a tree again whose leaves were archived',
  },
  {
    name: 'heads: leaves without a head are never signed',
    file: repository,
    search: 'AND h.size >= last.size)))',
    replace: 'AND h.size >= last.size) AND false))',
    spec: heads,
    test: 'signs what an earlier run has left without a head, although nothing is new',
  },
  {
    name: 'heads: members of any role read them',
    file: 'src/modules/audit/audit-heads.service.ts',
    search: "caller.requireRole('admin', organizationId);",
    replace: '',
    spec: heads,
    test: 'shows a foreign organization to nobody, and heads to admins only',
  },
  {
    name: 'heads: the service may remove them',
    file: 'src/platform/database/migrate.ts',
    search: 'REVOKE UPDATE, DELETE ON audit_leaves, audit_heads FROM',
    replace: 'REVOKE TRUNCATE ON audit_leaves, audit_heads FROM',
    spec: heads,
    test: 'the service can neither change nor remove heads and leaves',
  },
  {
    name: 'heads: every filter gets them',
    file: 'src/modules/feed/data/feed.repository.ts',
    search: 'types === undefined ? sql`f.type <> ${NAMED_TYPE}` : sql`f.type = ANY(${types}::text[])`',
    replace: 'types && sql`f.type = ANY(${types}::text[])`',
    spec: heads,
    test: 'sends heads to those whose filter names them',
  },
  {
    name: 'heads: the API starts with their key',
    file: 'src/apps/api/main.ts',
    search: 'if (config.AUDIT_HEAD_KEY !== undefined)',
    replace: 'if (false)',
    spec: 'test/e2e/process-health.spec.ts',
    test: 'an API with the key that signs heads of the audit log does not start',
  },
  {
    name: 'trees: a leaf is hashed like a node',
    file: 'src/modules/audit/domain/merkle-tree.ts',
    search: 'hashOf(0, data)',
    replace: 'hashOf(1, data)',
    spec: trees,
    test: 'has the root of RFC 9162',
  },
  {
    name: 'verify-audit: a signature is not verified',
    file: 'clients/sdk/src/audit-heads.ts',
    search: '!verify(null, Buffer.from(canonicalJson(head)), publicKey, value)',
    replace: 'value.length === 0',
    spec: heads,
    test: 'a head that another key has signed or that was changed',
  },
  {
    name: 'verify-audit: any key may sign',
    file: verification,
    search: 'this.options.keys?.includes(key) === false',
    replace: 'false',
    spec: heads,
    test: 'signs heads of all entries, which the API lists',
  },
  {
    name: 'verify-audit: the keys of evidence are not compared',
    file: verification,
    search: '!coversEvidenceKeys(evidenceKeys, this.options.evidenceKeys)',
    replace: 'false',
    spec: heads,
    test: 'keys of evidence that a head does not cover',
  },
  {
    name: 'verify-audit: hashes are not compared with the head',
    file: verification,
    search: 'if (tree.root !== root)',
    replace: 'if (false)',
    spec: heads,
    test: 'that the log was rewritten with its hashes',
  },
  {
    name: 'verify-audit: what a later head covers is not added',
    file: verification,
    search: 'const added = [...late.map(({ id }) => id), ...',
    replace: 'const added = [...',
    spec: heads,
    test: 'that an entry was added, before and after the next head covers it',
  },
];
