import { Injectable, Module, type Type } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { DecoratedProviders } from '../api/decorated-providers';
import { everything } from '../api/scope';
import { OwnerOf, ResourceOwners } from './resource-owners';

@Injectable()
class Jobs {
  @OwnerOf('job')
  async ownerOf(_scope: unknown, id: string): Promise<number | undefined> {
    return id === 'known' ? 7 : undefined;
  }

  @OwnerOf('unnamed')
  async ownerOfUnnamed(): Promise<number | undefined> {
    return 3;
  }
}

@Injectable()
class OtherJobs {
  @OwnerOf('job')
  async findOwner(): Promise<number | undefined> {
    return 8;
  }
}

async function ownersWith(...providers: Type[]): Promise<ResourceOwners> {
  @Module({ imports: [DiscoveryModule], providers: [DecoratedProviders, ResourceOwners, ...providers] })
  class Root {}
  const context = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  return context.get(ResourceOwners);
}

const scope = everything('a test');

describe('The owner of a named record', () => {
  it('is found by the method that is decorated with the type of the record, else is that of unnamed records', async () => {
    const owners = await ownersWith(Jobs);
    expect(await owners.ownerOf(scope, [{ type: 'job', id: 'known' }])).toBe(7);
    expect(await owners.ownerOf(scope, [{ type: 'job', id: 'unknown' }])).toBe(3);
    expect(await owners.ownerOf(scope, [{ type: 'report', id: 'known' }])).toBe(3);
  });

  it('is nobody without such methods', async () => {
    const owners = await ownersWith();
    expect(await owners.ownerOf(scope, [{ type: 'job', id: 'known' }])).toBeNull();
  });

  it('is not found by two methods: the process does not start', async () => {
    await expect(ownersWith(Jobs, OtherJobs)).rejects.toThrow('Two methods find the owner of job');
  });
});
