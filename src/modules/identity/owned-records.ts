import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Work } from '../../platform/work/work';
import type { Owner } from './domain/owner';

export const RELEASE_KIND = 'owner.release';

/** Takes at most so many records from an owner who was removed, and returns their ids. */
type Release = (organizationId: number, owner: Owner, limit: number) => Promise<number[]>;

/** What members and groups own. The modules that have it register how an owner who was removed loses it. */
@Injectable()
export class OwnedRecords {
  /** By the name that the ids have in the audit log. */
  readonly releases = new Map<string, Release>();

  constructor(private readonly work: Work) {}

  register(records: string, release: Release): void {
    this.releases.set(records, release);
  }

  /** In the unit of work that removes the owner, who may own a million records. A worker releases them afterwards. */
  async release(organizationId: number, owner: Owner, runAt?: Date): Promise<void> {
    // Work of its own for each removal: work that has begun may be past some records.
    const reference = `${owner} ${randomUUID()}`;
    await this.work.enqueue({ kind: RELEASE_KIND, reference, organizationId, ...(runAt && { runAt }) });
  }
}
