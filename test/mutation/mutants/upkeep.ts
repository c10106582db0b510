import type { Mutant } from '../mutant';

const archive = 'test/e2e/archive-history.spec.ts';
const pgbouncer = 'test/e2e/pgbouncer.spec.ts';

/** Poolers, and what operators run. */
export const upkeep: readonly Mutant[] = [
  {
    name: 'pooler: connections have no time limits',
    file: 'src/platform/database/database-pool.ts',
    search: 'client.query(limits)',
    replace: `client.query('SELECT 1')`,
    spec: pgbouncer,
    test: 'continues after the server has closed every connection, with the same limits on the new ones',
  },
  {
    name: 'pooler: transaction mode is not noticed',
    file: 'src/platform/database/require-sessions.ts',
    search: 'if (now !== pid || occupied === pid) throw refusal(name);',
    replace: '',
    spec: pgbouncer,
    test: 'is refused by a process that starts',
  },
  {
    name: 'pooler: statements are numbered by each process',
    file: 'src/platform/database/prepared-statements.ts',
    search: "`assay_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`",
    replace: '`assay_${this.known.size + 1}`',
    spec: 'src/platform/database/prepared-statements.spec.ts',
    test: 'two processes give the same name to the same text',
  },
  {
    name: 'rows: names of columns are code',
    file: 'src/platform/database/row-objects.ts',
    search: '`${JSON.stringify(name)}: values[${index}]`',
    replace: '`${name}: values[${index}]`',
    spec: 'src/platform/database/row-objects.spec.ts',
    test: 'takes the name of a column as text, not as code',
  },
  {
    name: 'rotation: secrets are changed before all were read',
    file: 'src/apps/cli/rotate-secret-key.ts',
    search: 'await reencrypt({ countOnly: true });',
    replace: '',
    spec: 'test/e2e/cli.spec.ts',
    test: 'names the secret and changes nothing if the previous key is wrong',
  },
  {
    name: 'archive: a changed file is accepted',
    file: 'src/apps/cli/archive-file.ts',
    search: '(await sha256Of(file)) !== manifest.sha256',
    replace: '(await sha256Of(file)) === ""',
    spec: archive,
    test: 'deletes nothing more if its file was changed',
  },
  {
    name: 'archive: the last change of a status is deleted',
    file: 'src/apps/cli/archive-history.ts',
    search: 'AND NOT n.is_comment AND n.changes IS NULL)',
    replace: ')',
    spec: archive,
    test: 'archives what is old, signed, deletes exactly that in pieces',
  },
  {
    name: 'archive: pieces are in the order of texts',
    file: 'src/apps/cli/archive-history.ts',
    search: 'ORDER BY h.id, h.organization_id',
    replace: 'ORDER BY id, organization_id',
    spec: archive,
    test: 'archives what is old, signed, deletes exactly that in pieces',
  },
  {
    name: 'archive: the trigger allows changes of archived entries',
    file: 'migrations/1763769600000-create-schema.ts',
    search: `IF TG_OP = 'DELETE' AND current_setting('assay.archived', true) = 'on' THEN`,
    replace: `IF current_setting('assay.archived', true) = 'on' THEN`,
    spec: archive,
    test: 'cannot be deleted by its owner',
  },
];
