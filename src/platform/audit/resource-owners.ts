import { Injectable } from '@nestjs/common';
import type { Scope } from '../api/scope';
import type { NamedResource } from './audit-entry';
import type { ResourceType } from '../api/resource-type';

/** Returns the organization of a record in a scope, by the id in the audit entry. */
export type FindOwner = (scope: Scope, id: string) => Promise<number | undefined>;

/**
 * Determines the organization whose audit log records a rejected request: that of a named record that the caller can read,
 * else the caller's only organization, else none (the operator's log). Modules register how to find the owners.
 */
@Injectable()
export class ResourceOwners {
  private readonly finders = new Map<ResourceType, FindOwner>();
  private findSingleOrganization: (scope: Scope) => Promise<number | undefined> = async () => undefined;

  register(type: ResourceType, find: FindOwner): void {
    this.finders.set(type, find);
  }

  registerSingleOrganization(find: (scope: Scope) => Promise<number | undefined>): void {
    this.findSingleOrganization = find;
  }

  async ownerOf(scope: Scope, named: readonly NamedResource[]): Promise<number | null> {
    for (const { type, id } of named) {
      const owner = await this.finders.get(type)?.(scope, id);
      if (owner !== undefined) return owner;
    }
    return (await this.findSingleOrganization(scope)) ?? null;
  }
}
