import { Injectable } from '@nestjs/common';
import {
  ExchangeFailed,
  isInPublishedRange,
  isWeb,
  missingProofFile,
  type PinnedAddresses,
  type Via,
  type WebTarget,
} from '../../../engine';
import { canonicalIp } from '../../../kernel/cidr';
import { everything } from '../../../platform/api/scope';
import { AssetsService, type ProofFile, proofFileOf } from '../../assets';
import { EngineRuntime, isBoundAddress, type Launchable } from '../../retests';
import { ActiveInventoryRepository } from '../data/active-inventory.repository';
import type { Job } from '../data/job.entity';

const scope = everything('a worker runs the jobs of all organizations');

/** As many as a retest probes. */
const MAX_ADDRESSES = 16;

/** Nothing that tries to inject may be sent. The message is for the user. */
export class UnprovenAddressError extends Error {
  constructor(sentence: string) {
    super(`No active test was sent: ${sentence}`);
    this.name = 'UnprovenAddressError';
  }
}

export interface StartOfJob {
  readonly pinned: PinnedAddresses;
  /** Which address has no proof, while jobs still run without it. */
  readonly warning: string | null;
}

/** The addresses that an active job dials: those that the host has at its start, each of which the organization has proved. */
@Injectable()
export class JobAddresses {
  constructor(
    private readonly inventory: ActiveInventoryRepository,
    private readonly assets: AssetsService,
    private readonly runtime: EngineRuntime,
  ) {}

  /** Also after another worker has begun the job, whose addresses then hold. */
  async start(job: Job, launch: Launchable, via: Via): Promise<StartOfJob> {
    const known = new Map(Object.entries(await this.inventory.findAddressesOfVisible(job.id)));
    const has: PinnedAddresses['has'] = (host, address) => known.get(host)?.includes(address) === true;
    const keep: PinnedAddresses['keep'] = async (host, found) => {
      if (!known.has(host)) known.set(host, await this.inventory.keepAddresses(job.id, host, found));
    };
    const pinned = { keep, has };
    const { target } = launch;
    if (!isWeb(target)) return { pinned, warning: null };
    const asking = { keep: async () => {}, has: (host: string, one: string) => !known.has(host) || has(host, one) };
    const { answering, unproven } = await this.prove(target, launch, { ...via, pinned: asking });
    if (canonicalIp(target.host) === null) await keep(target.host, answering);
    return { pinned, warning: unproven };
  }

  private async prove(target: WebTarget, launch: Launchable, via: Via) {
    const found = await this.addressesOf(target, via);
    const open = launch.beacon === null ? found.filter((address) => !this.isExempt(launch, address)) : [];
    const answering = found.filter((address) => !open.includes(address));
    if (open.length > MAX_ADDRESSES)
      throw new UnprovenAddressError(`${target.host} has more than ${MAX_ADDRESSES} addresses.`);
    if (open.length === 0) return { answering, unproven: null };
    const asset = await this.assets.find(scope, launch.assetId);
    const file = asset === undefined ? null : proofFileOf(asset);
    if (file === null) throw new UnprovenAddressError('its asset does not allow active tests anymore.');
    const silent: string[] = [];
    let unproven: string | null = null;
    for (const address of open) {
      const seen = await this.missing(target, file, { ...via, address });
      if (seen?.isSilent === true) silent.push(`${address} (${seen.reason})`);
      else answering.push(address);
      if (seen?.isSilent === false)
        unproven ??= `the address ${address} does not give the proof file ${file.path}: ${seen.reason}.`;
    }
    if (answering.length === 0)
      throw new UnprovenAddressError(`none of the addresses of ${target.host} answers: ${silent.join(', ')}.`);
    if (unproven === null) return { answering, unproven };
    if (file.due === null || file.due <= this.runtime.transport.now())
      throw new UnprovenAddressError(`${unproven} The page of the asset shows the file.`);
    const day = file.due.toISOString().slice(0, 10);
    return { answering, unproven: `${unproven} From ${day} on, no active test is sent without it.` };
  }

  /** The operator has allowed it to this organization, or those who run it tell hosts apart by their names. */
  private isExempt({ organizationId, target: { port } }: Launchable, address: string): boolean {
    return isInPublishedRange(address) || isBoundAddress(this.runtime.allowed, organizationId, { address, port });
  }

  private async addressesOf(target: WebTarget, via: Via): Promise<string[]> {
    try {
      return await this.runtime.transport.addresses(target, via);
    } catch (error) {
      if (error instanceof ExchangeFailed) throw new UnprovenAddressError(`${error.message}.`);
      throw error;
    }
  }

  private async missing(target: WebTarget, file: ProofFile, via: Via & { readonly address: string }) {
    try {
      const reason = await missingProofFile(this.runtime.transport, target, file, via);
      return reason === null ? null : { isSilent: false, reason };
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      const { code, reason } = error.failure;
      // Such an address is not dialled later either.
      return { isSilent: ['refused', 'unreachable', 'no_route'].includes(code), reason };
    }
  }
}
