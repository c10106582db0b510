import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { callerOf } from './data/caller-record';
import { UsersRepository } from './data/users.repository';

/** Users as callers without a request, for what the service does in their place. */
@Injectable()
export class Callers {
  constructor(private readonly users: UsersRepository) {}

  /** With the memberships that the user has now; undefined if the user was erased. */
  async find(userId: number): Promise<Caller | undefined> {
    const record = await this.users.findCallerRecord(userId);
    return record && callerOf(record, null);
  }
}
