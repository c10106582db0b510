import { Injectable } from '@nestjs/common';
import { isAtLeast, type Role } from '../../kernel/role';
import { Caller } from '../../platform/api/caller';
import { Callers } from '../identity';
import type { Schedule } from './data/schedule.entity';

/** What the runs of a maker who has left may do until an admin confirms the schedule. */
const ROLE_AFTER_LEAVING: Role = 'member';

type Made = Pick<Schedule, 'organizationId' | 'makerId' | 'makerRole'>;

const lowerOf = (one: Role, other: Role): Role => (isAtLeast(one, other) ? other : one);

/** In whose name schedules run, and with which role. */
@Injectable()
export class Makers {
  constructor(private readonly callers: Callers) {}

  /** The maker's role in the organization now; undefined after the maker has left. */
  currentRole({ makerId, organizationId }: Pick<Made, 'makerId' | 'organizationId'>): Promise<Role | undefined> {
    return this.callers.roleIn(makerId, organizationId);
  }

  /** The maker, limited to the organization and to the lower of the role now and the role when it was saved. */
  async callerFor(schedule: Made): Promise<Caller> {
    const current = (await this.currentRole(schedule)) ?? ROLE_AFTER_LEAVING;
    return callerAs(schedule, lowerOf(current, schedule.makerRole));
  }

  /** The maker with the role that stops what runs, whatever the role is now. */
  callerToStop(schedule: Made): Caller {
    return callerAs(schedule, 'member');
  }
}

function callerAs({ makerId: userId, organizationId }: Made, role: Role): Caller {
  const memberships = new Map([[organizationId, role]]);
  return new Caller({ userId, email: '', name: null, integrator: null, memberships, key: null });
}
