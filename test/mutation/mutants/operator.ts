import type { Mutant } from '../mutant';

const commands = 'test/e2e/operator-commands.spec.ts';

/** What an operator may do to an organization, and to a database. */
export const operatorMutants: readonly Mutant[] = [
  {
    name: 'suspension: people change a suspended organization',
    file: 'src/platform/audit/suspension.ts',
    search: "status === 'success' && actor.type !== 'system' &&",
    replace: "status === 'success' && actor.type === 'beacon' &&",
    spec: 'test/contract/roles.spec.ts',
    test: 'is a 403 that says so, every read goes on, and it can be deleted',
  },
  {
    name: 'suspension: work of a suspended organization goes on',
    file: 'src/apps/cli/suspend-organization.ts',
    search: "WHERE organization_id = $1 AND state = 'running'",
    replace: "WHERE organization_id = $1 AND state = 'none'",
    spec: commands,
    test: 'hands back running work',
  },
  {
    name: 'suspension: an organization cannot be deleted',
    file: 'src/platform/audit/suspension.ts',
    search: "  'organization.delete',",
    replace: '',
    spec: commands,
    test: 'lets the integrator delete the organization',
  },
  {
    name: 'migrate: makes a schema where none was expected',
    file: 'src/apps/cli/migrate-database.ts',
    search: '&& options.new !== true',
    replace: '&& options.new === false',
    spec: commands,
    test: 'makes a new schema in an empty database of production only with --new',
  },
];
