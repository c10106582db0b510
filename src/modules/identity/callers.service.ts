import { Injectable } from '@nestjs/common';
import type { Role } from '../../kernel/role';
import type { Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../organizations';
import { callerOf } from './data/caller-record';
import { UsersRepository } from './data/users.repository';

/** Users as callers without a request, for what the service does in their place. */
@Injectable()
export class Callers {
  constructor(
    private readonly users: UsersRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  /** With the memberships that the user has now; undefined if the user was erased. */
  async find(userId: number): Promise<Caller | undefined> {
    const record = await this.users.findCallerRecord(userId);
    return record && callerOf(record, null);
  }

  /** The user's role in the organization now; undefined after the user has left. */
  async roleIn(userId: number, organizationId: number): Promise<Role | undefined> {
    const caller = await this.find(userId);
    if (caller === undefined) return undefined;
    // An integrator owns the organizations that it has created, and no others.
    const isVisible = (await this.organizations.find(caller.scope, organizationId)) !== undefined;
    return isVisible ? caller.roleIn(organizationId) : undefined;
  }
}
