import type { Mutant } from '../mutant';

const service = 'src/modules/schedules/schedules.service.ts';
const start = 'src/modules/schedules/run-start.ts';
const progress = 'src/modules/schedules/run-progress.ts';
const makers = 'src/modules/schedules/makers.ts';
const http = 'test/e2e/schedules.spec.ts';
const runs = 'test/e2e/schedule-runs.spec.ts';

/** What starts tests without a person. */
export const schedules: readonly Mutant[] = [
  {
    name: 'schedules: members change them',
    file: service,
    search: `    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('admin', organizationId);`,
    replace: `    this.unitOfWork.note({ organizationId, resourceId: String(id) });
    caller.requireRole('member', organizationId);`,
    spec: http,
    test: 'are read by members and written by admins',
  },
  {
    name: 'schedules: members create them',
    file: service,
    search: "caller.requireRole('admin', owner);",
    replace: "caller.requireRole('member', owner);",
    spec: http,
    test: 'are read by members and written by admins',
  },
  {
    name: 'schedules: viewers read them',
    file: service,
    search: `scheduleNotFound);
    caller.requireRole('member', organizationId);`,
    replace: 'scheduleNotFound);',
    spec: http,
    test: 'are read by members and written by admins',
  },
  {
    name: 'schedules: those of another organization are found',
    file: 'src/modules/schedules/data/schedules.repository.ts',
    search:
      "WHERE s.id = ${id} AND s.organization_id = ${organizationId} AND ${visibleTo(scope, 's.organization_id')} ${rest}`);",
    replace: 'WHERE s.id = ${id} AND ${organizationId}::int IS NOT NULL ${rest}`);',
    spec: http,
    test: 'do not exist for other organizations, and cannot name their assets and events',
  },
  {
    name: 'schedules: an event of another organization is accepted',
    file: 'src/modules/schedules/schedule-targets.ts',
    search: 'event.organizationId !== organizationId',
    replace: 'event.organizationId === undefined',
    spec: http,
    test: 'cannot name an event of another organization of the same person',
  },
  {
    name: 'schedules: there may be any number',
    file: service,
    search: '(await this.schedules.countOfLocked(owner)) >= MAX_SCHEDULES',
    replace: '(await this.schedules.countOfLocked(owner)) < 0',
    spec: http,
    test: 'are at most 200 of an organization',
  },
  {
    name: 'schedules: a run begins beside the one before',
    file: start,
    search: 'if (open !== undefined) {',
    replace: 'if (open === null) {',
    spec: runs,
    test: 'skips a run that is due before the last one has ended, and says so',
  },
  {
    name: 'schedules: a run begins outside of the windows',
    file: start,
    search: 'if (!isOpen(windows, now)) {',
    replace: 'if (false) {',
    spec: runs,
    test: 'starts nothing while its windows are closed, stops what runs then, and starts it again',
  },
  {
    name: 'schedules: what runs goes on after the end of its window',
    file: progress,
    search: 'return this.interrupt(schedule, run);',
    replace: 'return undefined;',
    spec: runs,
    test: 'starts nothing while its windows are closed, stops what runs then, and starts it again',
  },
  {
    name: 'schedules: nobody has to confirm one whose maker has left',
    file: 'src/modules/schedules/confirmations.ts',
    search: 'if (confirmBy === null || confirmBy > now) return false;',
    replace: 'if (confirmBy === null || confirmBy < now) return false;',
    spec: runs,
    test: 'has 30 days after leaving: without a confirmation the schedule pauses',
  },
  {
    name: 'schedules: the role of the maker now does not count',
    file: makers,
    search: 'return callerAs(schedule, lowerOf(current, schedule.makerRole));',
    replace: 'return callerAs(schedule, current && schedule.makerRole);',
    spec: runs,
    test: 'starts nothing with a role that may start nothing',
  },
  {
    name: 'schedules: the role of the maker when it was saved does not count',
    file: makers,
    search: 'return callerAs(schedule, lowerOf(current, schedule.makerRole));',
    replace: 'return callerAs(schedule, current);',
    spec: runs,
    test: 'has no more rights than when the schedule was saved',
  },
  {
    name: 'schedules: an integrator stays the maker of an organization that it gave away',
    file: 'src/modules/identity/callers.service.ts',
    search: 'return isVisible ? caller.roleIn(organizationId) : undefined;',
    replace: 'return isVisible || true ? caller.roleIn(organizationId) : undefined;',
    spec: runs,
    test: 'who is an integrator runs schedules while the organization is the integrator',
  },
  {
    name: 'schedules: a part is launched by every worker that has read it',
    file: progress,
    search: 'hasPlace ? await this.parts.lockWaiting(part.id) : undefined',
    replace: 'hasPlace ? part : undefined',
    spec: runs,
    test: 'launch each part once, also when a lost worker goes on beside the one that took over',
  },
  {
    name: 'schedules: they use the places of people',
    file: progress,
    search: 'hasPlace = (await this.parts.countStartedOf(organizationId, what)) < PLACES[what];',
    replace: 'hasPlace = (await this.parts.countStartedOf(organizationId, what)) >= 0;',
    spec: runs,
    test: 'leaves half of the places to people, and goes on when there is room',
  },
  {
    name: 'schedules: a paused one goes on',
    file: progress,
    search: "if (schedule.status === 'paused') return",
    replace: 'if (schedule.id < 0) return',
    spec: runs,
    test: 'starts nothing more once it is paused',
  },
  {
    name: 'schedules: an organization starts all of its own first',
    file: 'src/modules/schedules/data/schedules.repository.ts',
    search: 'ORDER BY next_due LIMIT ${ofEach}) first) due',
    replace: 'ORDER BY next_due LIMIT ${ofEach * 100}) first) due',
    spec: runs,
    test: 'share the turns of organizations when 1,000 schedules are due at the same second',
  },
];
