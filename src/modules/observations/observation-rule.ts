import { Injectable } from '@nestjs/common';
import { parsePorts } from '../../engine';
import { isPrivateAddress } from '../../kernel/address-ranges';
import { isEntryFor } from '../../kernel/egress-entry';
import type { Scope } from '../../platform/api/scope';
import { type Asset, DomainsService, Hostings, type ObservedAssetRow, ObservedAssetsRepository } from '../assets';
import { BeaconsService } from '../beacons';
import { EngineRuntime, isAllowedTarget, type Launchable, LaunchRule } from '../retests';
import { reasonNotSearched } from './domain/block-search';
import type { PortTerms } from './domain/observable-ports';
import { type ObservedSubject, subjectOf } from './domain/observed-subject';

export interface Observable {
  readonly observable: true;
  readonly subject: ObservedSubject;
  readonly launch: Launchable;
  readonly terms: PortTerms;
  readonly known: ObservedAssetRow | undefined;
}

export interface NotObservable {
  readonly observable: false;
  /** Says what to do next. */
  readonly reason: string;
}

const NO_PORT_OF_BLOCK =
  'The owner of a block cannot be verified: put it behind a beacon, or ask the operator of Assay to allow the whole block (docs/targets.md).';

const refuse = (reason: string): NotObservable => ({ observable: false, reason });

/** Asked when no port of the asset is allowed, so that the refusal of the launch rule says why. */
const ANY_PORT = 443;

/** Whether an asset may be observed, by the launch rule, and on which ports. It reads only the database. */
@Injectable()
export class ObservationRule {
  constructor(
    private readonly rule: LaunchRule,
    private readonly domains: DomainsService,
    private readonly runtime: EngineRuntime,
    private readonly states: ObservedAssetsRepository,
    private readonly beacons: BeaconsService,
    private readonly hostings: Hostings,
  ) {}

  /** `waitsForBeacon`: as a worker does. */
  async evaluate(scope: Scope, asset: Asset, waitsForBeacon = true): Promise<Observable | NotObservable> {
    const subject = subjectOf(asset);
    const { organizationId, beaconId } = asset;
    const obstacle = subject.block && reasonNotSearched(subject.block);
    if (obstacle !== null) return refuse(obstacle);
    const allowed = (await this.isWide(asset, subject)) ? null : this.allowedPorts(asset);
    const port = subject.port ?? allowed?.[0] ?? ANY_PORT;
    const target = { scheme: 'https', host: subject.host, port, path: '/' } as const;
    const launch = await this.rule.evaluate({
      scope,
      target,
      organizationId,
      beaconId,
      waitsForBeacon,
      limitsPorts: true,
    });
    if (!launch.launchable) return refuse(launch.reason);
    if (subject.block !== null && allowed?.length === 0) return refuse(NO_PORT_OF_BLOCK);
    const known = await this.states.findOfVisible(asset.id);
    const decided = beaconId === null ? await this.hostings.decisionsOf(organizationId, subject.host) : [];
    return { observable: true, subject, launch, terms: termsOf(asset, subject, { allowed, known, decided }), known };
  }

  /** The same for observations that nobody requests, which leave out beacons with observation off. */
  async evaluateDue(scope: Scope, asset: Asset, waitsForBeacon = true): Promise<Observable | NotObservable> {
    const { organizationId, beaconId } = asset;
    const beacon = beaconId === null ? null : await this.beacons.get(scope, organizationId, beaconId);
    if (beacon === null || beacon.observe) return this.evaluate(scope, asset, waitsForBeacon);
    const reason = `Observation is off for the beacon ${beacon.name}: an admin can set its \`observe\` to true.`;
    return refuse(reason);
  }

  /** The ports on which the operator allows the organization to test the asset. */
  allowedPorts(asset: Asset): number[] {
    const { host } = subjectOf(asset);
    const entries = this.runtime.allowed.filter((entry) => isEntryFor(entry, asset.organizationId));
    const ports = [...new Set(entries.map(({ port }) => port))].sort((one, other) => one - other);
    return ports.filter((port) => isAllowedTarget(entries, asset, { host, port }));
  }

  /** Whether the asset is the organization's own on all ports: by its beacon or its verified domain. */
  private async isWide(
    { organizationId, beaconId }: Asset,
    { host, isName, block }: ObservedSubject,
  ): Promise<boolean> {
    if (beaconId !== null) return isName || (isPrivateAddress(host) && isPrivateAddress(block?.last ?? host));
    return isName && this.domains.isVerifiedFor(organizationId, host);
  }
}

/** If its host is an address, a URL stands only for its own port. */
function termsOf(
  { beaconId, type }: Asset,
  { isName, port }: ObservedSubject,
  { allowed, known, decided }: Pick<PortTerms, 'allowed' | 'decided'> & Pick<Observable, 'known'>,
): PortTerms {
  const chosen = known?.observePorts ?? null;
  const ownPort = type === 'url' && !isName && port !== null ? [port] : null;
  return {
    isBehindBeacon: beaconId !== null,
    chosen: chosen === null ? null : parsePorts(chosen),
    allowed: ownPort === null ? allowed : ownPort.filter((one) => allowed?.includes(one) ?? true),
    urlPort: port,
    decided,
  };
}
