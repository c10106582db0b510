import type { Mutant } from '../mutant';

const guard = 'src/modules/approvals/second-approval.service.ts';
const decisions = 'src/modules/approvals/approvals.service.ts';
const spec = 'test/e2e/second-approval.spec.ts';
const routes = 'test/e2e/second-approval-routes.spec.ts';

/** Decisions that need a second admin. */
export const approvals: readonly Mutant[] = [
  {
    name: 'approvals: a changed record keeps its proposal',
    file: guard,
    search: 'if (!isDeepStrictEqual(stored(actor.approved), stored(change))) throw changedSince();',
    replace: '',
    spec,
    test: 'is outdated when the finding has changed',
  },
  {
    name: 'approvals: the service decides alone',
    file: guard,
    search: `if (actor.type === 'system') throw serviceMayNot(change.summary);`,
    replace: `if (actor.type === 'system') return;`,
    spec: routes,
    test: 'as the service itself is refused',
  },
  {
    name: 'approvals: a move of a finding asks nobody',
    file: 'src/modules/findings/changes/finding-status-writer.ts',
    search: 'if (isDismissed(to)) {',
    replace: 'if (false) {',
    spec: routes,
    test: 'is made only when a second admin has confirmed it',
  },
  {
    name: 'approvals: the proposer confirms',
    file: decisions,
    search: 'if (caller.facts.userId === approval.proposedBy) throw isOwnProposal();',
    replace: '',
    spec,
    test: 'is not confirmed by its proposer',
  },
  {
    name: 'approvals: an unproved admin confirms',
    file: decisions,
    search: `if (!isAtLeast(role, 'admin') || !isAddressProved) throw needsMember(what);`,
    replace: `if (!isAtLeast(role, 'admin')) throw needsMember(what);`,
    spec,
    test: 'is not confirmed by its proposer',
  },
  {
    name: 'approvals: an integrator confirms',
    file: decisions,
    search: 'if (caller.integrator !== null) throw needsMember(what);',
    replace: 'if (caller.integrator !== null) return;',
    spec,
    test: 'of an integrator is confirmed by a member',
  },
  {
    name: 'approvals: what has expired is confirmed',
    file: decisions,
    search: `if (approval.expires <= now) throw isDecided('expired');`,
    replace: '',
    spec,
    test: 'expires after 30 days',
  },
  {
    name: 'approvals: two admins confirm at the same time',
    file: decisions,
    search: `if (approval.status !== 'pending') throw isDecided(approval.status);`,
    replace: '',
    spec,
    test: 'is confirmed once by two admins at the same time',
  },
  {
    name: 'approvals: the last two admins leave',
    file: 'src/modules/identity/data/members.repository.ts',
    search: 'if (others < 2) throw neededForApprovals(id);',
    replace: '',
    spec,
    test: 'the last two admins with proved addresses cannot leave',
  },
  {
    name: 'approvals: two admins leave at the same time',
    file: 'src/modules/identity/data/members.repository.ts',
    search: 'if (others < 2) throw neededForApprovals(id);',
    replace: 'if (others < 1) throw neededForApprovals(id);',
    spec,
    test: 'two of three admins who leave at the same time leave two',
  },
  {
    name: 'approvals: a request allows incomplete checks alone',
    file: 'src/modules/jobs/domain/incomplete-checks.ts',
    search: '(!isRequested || needsApproval) &&',
    replace: '!isRequested &&',
    spec: 'src/modules/jobs/domain/incomplete-checks.spec.ts',
    test: 'a request allows nothing where a second approval is required',
  },
];
