import { Injectable } from '@nestjs/common';
import type { Scope } from '../api/scope';
import type { NamedResource } from './audit-entry';
import type { ResourceType } from '../api/resource-type';

/** Finds the organization of a record that a scope may see, by the record's id as an entry names it. */
export type FindOwner = (scope: Scope, id: string) => Promise<number | undefined>;

/**
 * Whose log a refused request belongs in, if its work never came to say: the organization of a named record that the caller
 * may see, else the caller's only one, else nobody's, which is the operator's. The modules say how to find out.
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
