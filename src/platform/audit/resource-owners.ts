import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DecoratedProviders, type MethodDecoratorOf } from '../api/decorated-providers';
import type { ResourceType } from '../api/resource-type';
import type { Scope } from '../api/scope';
import type { NamedResource } from './audit-entry';

/** Returns the organization of a record in a scope, by the id in the audit entry. */
type FindOwner = (scope: Scope, id: string) => Promise<number | undefined>;

/** `unnamed`: the request names no record that exists. */
type Owned = ResourceType | 'unnamed';

const ownerOf = DiscoveryService.createDecorator<Owned>();

/** The method finds the organization of records of this type. */
export const OwnerOf = (type: Owned): MethodDecoratorOf<FindOwner> => ownerOf(type);

/**
 * Determines the organization whose audit log records a rejected request: that of a named record that the caller can read,
 * else the caller's only organization, else none (the operator's log).
 */
@Injectable()
export class ResourceOwners implements OnModuleInit {
  private readonly finders = new Map<Owned, FindOwner>();

  constructor(private readonly decorated: DecoratedProviders) {}

  onModuleInit(): void {
    for (const [type, find] of this.decorated.methods<Owned, FindOwner>(ownerOf)) {
      if (this.finders.has(type)) throw new Error(`Two methods find the owner of ${type}`);
      this.finders.set(type, find);
    }
  }

  async ownerOf(scope: Scope, named: readonly NamedResource[]): Promise<number | null> {
    for (const { type, id } of named) {
      const owner = await this.finders.get(type)?.(scope, id);
      if (owner !== undefined) return owner;
    }
    return (await this.finders.get('unnamed')?.(scope, '')) ?? null;
  }
}
