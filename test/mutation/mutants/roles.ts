import type { Mutant } from '../mutant';

const spec = 'test/contract/roles.spec.ts';
const twoMemberships = "in the record's organization decides although the caller has the role";

interface RoleCheck {
  readonly of: string;
  readonly file: string;
  readonly search: string;
  readonly kept?: string;
}

/** The checks of the role in the record's own organization, in every module. */
const roleChecks: readonly RoleCheck[] = [
  {
    of: 'commenting a finding',
    file: 'src/modules/findings/changes/finding-comments.service.ts',
    search: `caller.requireRole('member', organizationId);`,
  },
  {
    of: 'assigning a finding',
    file: 'src/modules/findings/changes/finding-changes.service.ts',
    search: `caller.requireRole('member', organizationId);`,
  },
  {
    of: 'managing groups of members',
    file: 'src/modules/identity/member-groups.service.ts',
    search: `caller.requireRole('admin', id);`,
  },
  {
    of: 'changing the SLA',
    file: 'src/modules/findings/changes/finding-sla.service.ts',
    search: `caller.requireRole('admin', id);`,
  },
  {
    of: 'changing the hours of second looks',
    file: 'src/modules/retests/second-looks.service.ts',
    search: `caller.requireRole('admin', id);`,
  },
  {
    of: 'letting refusals count as fixed',
    file: 'src/modules/retests/refusal-setting.service.ts',
    search: `caller.requireRole('owner', id);`,
  },
  {
    of: 'confirming a refusal',
    file: 'src/modules/retests/baselines.service.ts',
    search: `this.unitOfWork.note({ organizationId, metadata: { retest, reason } });
    caller.requireRole('admin', organizationId);`,
    kept: 'this.unitOfWork.note({ organizationId, metadata: { retest, reason } });',
  },
  {
    of: 'launching a job',
    file: 'src/modules/jobs/jobs.service.ts',
    search: `caller.requireRole('member', organizationId);
    const accounts =`,
    kept: 'const accounts =',
  },
  {
    of: 'canceling a job',
    file: 'src/modules/jobs/jobs.service.ts',
    search: `caller.requireRole('member', organizationId);
    await this.work.cancel(kind, uuid);`,
    kept: 'await this.work.cancel(kind, uuid);',
  },
  {
    of: 'starting a retest',
    file: 'src/modules/retests/retests.service.ts',
    search: `caller.requireRole('member', organizationId);`,
  },
  {
    of: 'canceling a retest and giving its verdict',
    file: 'src/modules/retests/retests.service.ts',
    search: 'caller.requireRole(role, organizationId);',
  },
  {
    of: 'ordering a report',
    file: 'src/modules/reports/reports.service.ts',
    search: `caller.requireRole('member', organizationId);`,
  },
  {
    of: 'changing the status of a finding',
    file: 'src/modules/findings/findings.service.ts',
    search: `caller.requireRole(needsAdmin(from, to) ? 'admin' : 'member', organizationId);`,
  },
  {
    of: 'recording a finding',
    file: 'src/modules/events/event-findings.service.ts',
    search: `caller.requireRole('member', organizationId);`,
  },
  {
    of: 'creating an event',
    file: 'src/modules/events/events.service.ts',
    search: `caller.requireRole('admin', organizationId);
    const endDate`,
    kept: 'const endDate',
  },
  {
    of: 'changing an event',
    file: 'src/modules/events/events.service.ts',
    search: `caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    requireChangeableDates(`,
    kept: `await this.unitOfWork.checkCondition();
    requireChangeableDates(`,
  },
  {
    of: 'setting and deleting the picture of an event',
    file: 'src/modules/events/event-pictures.service.ts',
    search: `caller.requireRole('admin', event.organizationId);`,
  },
  {
    of: 'changing the second looks of an event',
    file: 'src/modules/events/events.service.ts',
    search: `caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    await this.events.change(id, { secondLook })`,
    kept: `await this.unitOfWork.checkCondition();
    await this.events.change(id, { secondLook })`,
  },
  {
    of: 'changing the status of an event',
    file: 'src/modules/events/events.service.ts',
    search: `caller.requireRole('admin', event.organizationId);`,
  },
  {
    of: 'adding to the scope of an event',
    file: 'src/modules/events/event-scope.service.ts',
    search: `caller.requireRole('admin', organizationId);`,
  },
  {
    of: 'removing from the scope of an event',
    file: 'src/modules/events/event-scope.service.ts',
    search: `caller.requireRole('admin', event.organizationId);`,
  },
  {
    of: 'adding an asset',
    file: 'src/modules/assets/assets.service.ts',
    search: `caller.requireRole(labels.length > 0 || owner !== null ? 'admin' : 'member', organization.id);`,
  },
  {
    of: 'deleting an asset',
    file: 'src/modules/assets/assets.service.ts',
    search: `caller.requireRole('admin', organizationId);`,
  },
  {
    of: 'accepting a check on an asset',
    file: 'src/modules/assets/accepted-checks.service.ts',
    search: `caller.requireRole('admin', asset.organizationId);`,
  },
  {
    of: 'adding a domain',
    file: 'src/modules/assets/domains.service.ts',
    search: `caller.requireRole('member', organizationId);
    await this.assets.lockForAdding`,
    kept: 'await this.assets.lockForAdding',
  },
  {
    of: 'verifying a domain',
    file: 'src/modules/assets/domains.service.ts',
    search: `caller.requireRole('member', organizationId);
      return this.verification.lookUp(domain);`,
    kept: 'return this.verification.lookUp(domain);',
  },
  {
    of: 'deleting a domain',
    file: 'src/modules/assets/domains.service.ts',
    search: `caller.requireRole('admin', organizationId);`,
  },
  {
    of: 'creating a beacon',
    file: 'src/modules/beacons/beacons.service.ts',
    search: `caller.requireRole('admin', organizationId);
    await this.requireCapacityFor`,
    kept: 'await this.requireCapacityFor',
  },
  {
    of: 'changing and deleting a beacon',
    file: 'src/modules/beacons/beacons.service.ts',
    search: `caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return beacon;`,
    kept: 'await this.unitOfWork.checkCondition();\n    return beacon;',
  },
  {
    of: 'reading the audit log',
    file: 'src/modules/audit/audit.service.ts',
    search: `caller.requireRole('admin', id);`,
  },
];

/** Permissions depend on the role in the organization of the record. */
export const roles: readonly Mutant[] = [
  ...roleChecks.map(({ of, file, search, kept = '' }): Mutant => {
    return {
      name: `the role in the record’s organization is not checked: ${of}`,
      file,
      search,
      replace: kept,
      spec,
      test: twoMemberships,
    };
  }),
  {
    name: 'a role in any organization counts for a record',
    file: 'src/platform/api/caller.ts',
    search: 'if (this.hasRole(role, organizationId)) return;',
    replace: 'if (this.hasRoleAnywhere(role)) return;',
    spec,
    test: twoMemberships,
  },
  {
    name: 'a member may dismiss a finding',
    file: 'src/modules/findings/findings.service.ts',
    search: `needsAdmin(from, to) ? 'admin' : 'member'`,
    replace: `'member'`,
    spec,
    test: 'is allowed exactly the operations in the table',
  },
];
