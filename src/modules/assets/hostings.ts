import { Injectable } from '@nestjs/common';
import { ObservedAssetsRepository } from './data/observed-assets.repository';
import { decided, type Hosting, type HostingDecisions, type HostingState, storedHosting } from './domain/hosting';

/** Who runs hosts, and what an admin has confirmed about them: the rule for everything that is sent to a host. */
@Injectable()
export class Hostings {
  constructor(private readonly states: ObservedAssetsRepository) {}

  /** As the last observation of an asset on this host saw it; null if nobody else runs it, or it was never observed. */
  async ofHost(organizationId: number, host: string): Promise<HostingState | null> {
    const states = await this.states.listOfHost(organizationId, host);
    return decided(storedHosting(states[0]), states);
  }

  /** What an admin has confirmed on any asset of the host. */
  decisionsOf(organizationId: number, host: string): Promise<readonly HostingDecisions[]> {
    return this.states.listOfHost(organizationId, host);
  }

  /** What the DNS says now, with what an admin has confirmed for its target. */
  async decide(organizationId: number, host: string, hosting: Hosting | null): Promise<HostingState | null> {
    return hosting && decided(hosting, await this.states.listOfHost(organizationId, host));
  }
}
