import { Injectable } from '@nestjs/common';
import type { AddressesToObserve, AddressToSearch } from '../../engine';
import { Cidr } from '../../kernel/cidr';
import { Clock } from '../../kernel/clock';
import { everything } from '../../platform/api/scope';
import type { Claim } from '../../platform/work/claim';
import { type Asset, ObservationPlans } from '../assets';
import { BlockResults, type SeenPortion } from './block-results';
import { ObservedHostsRepository } from './data/observed-hosts.repository';
import { nextPortion, searchPorts, unsearchedBlock } from './domain/block-search';
import { observablePorts } from './domain/observable-ports';
import { HostObserver, LookFailedError, type LookWork } from './host-observer';
import { ObservationRule } from './observation-rule';

const scope = everything('a worker observes the blocks of all organizations');

/** With more, a host that no longer answers would take long. */
const MAX_KNOWN_PORTS = 8;

export interface BlockLook {
  readonly claim: Claim;
  readonly observationId: number;
  readonly asset: Asset;
  readonly block: Cidr;
  readonly work: LookWork;
  /** After this many milliseconds, the running portion is the last one. */
  readonly endsInMs: number;
  /** To each host; null for the usual pace. */
  readonly requestsPerSecond: number | null;
}

type PortionToSearch = AddressesToObserve &
  Pick<SeenPortion, 'block'> & {
    /** With those that are left out. */
    readonly covered: readonly string[];
    readonly isLast: boolean;
  };

/** Looks at the addresses of a block, portion by portion: what a portion showed is stored before the next one begins. */
@Injectable()
export class BlockObserver {
  constructor(
    private readonly rule: ObservationRule,
    private readonly plans: ObservationPlans,
    private readonly hosts: ObservedHostsRepository,
    private readonly observer: HostObserver,
    private readonly results: BlockResults,
    private readonly clock: Clock,
  ) {}

  /** Returns the completion of the observation, which stores the last portion. */
  async look(look: BlockLook, signal: AbortSignal): Promise<() => Promise<void>> {
    const { claim, asset, work } = look;
    const end = performance.now() + look.endsInMs;
    const launch = (await this.ruleFor(asset)).launch;
    const request = { launch, work, requestsPerSecond: look.requestsPerSecond };
    const last = await this.observer.lookAtBlock(request, signal, async (observe) => {
      for (;;) {
        const portion = await this.next(look);
        const hosts = await observe(portion);
        const { block, covered: addresses, ports: watched } = portion;
        const seen = { block, addresses, hosts, watched };
        if (portion.isLast || performance.now() > end) return seen;
        if (!(await this.results.add(claim, look.observationId, seen)))
          throw new LookFailedError('The observation is over.');
      }
    });
    return () => this.results.finish(claim.reference, last);
  }

  private async next({ asset, block }: BlockLook): Promise<PortionToSearch> {
    const { known, terms, launch } = await this.ruleFor(asset);
    const ports = observablePorts(null, terms);
    const { addresses: covered, isLast } = nextPortion(block, known ?? unsearchedBlock, this.clock.now());
    const turnedOff = await this.plans.listTurnedOffForVisible(asset, covered);
    const mayTry = (address: string): boolean =>
      (launch.beacon?.cidrs.some((cidr) => cidr.contains(address)) ?? true) && !turnedOff.has(address);
    const addresses = await this.withKnownPorts(asset, covered.filter(mayTry), ports);
    return { block, covered, addresses, searched: searchPorts(ports), ports, isLast };
  }

  private async withKnownPorts(
    { id: assetId, organizationId }: Asset,
    addresses: readonly string[],
    ports: readonly number[],
  ): Promise<AddressToSearch[]> {
    const hosts = await this.hosts.listKnown({ organizationId, assetId }, addresses);
    const portsOf = new Map(hosts.map((host) => [host.address, host.ports.filter(({ isOpen }) => isOpen)]));
    return addresses.map((address) => {
      const open = portsOf.get(address)?.map(({ port }) => port);
      const known = open?.filter((port) => ports.includes(port)).slice(0, MAX_KNOWN_PORTS) ?? null;
      return { address, known };
    });
  }

  /** Asked again before each portion, because a block takes hours. */
  private async ruleFor(asset: Asset) {
    const rule = await this.rule.evaluate(scope, asset);
    if (!rule.observable) throw new LookFailedError(rule.reason);
    return rule;
  }
}
