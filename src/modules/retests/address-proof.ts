import { Injectable } from '@nestjs/common';
import {
  type Baseline,
  ExchangeFailed,
  isInPublishedRange,
  isWeb,
  missingProofFile,
  type PinnedAddresses,
  type Via,
  type WebTarget,
} from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import { dayOf } from '../../kernel/day';
import { everything } from '../../platform/api/scope';
import { AssetsService, type ProofFile, proofFileOf } from '../assets';
import { isBoundAddress } from './domain/allowed-target';
import { EngineRuntime } from './engine-runtime';
import type { Launchable } from './launch';

const scope = everything('a worker tests the targets of all organizations');

/** As many as a retest probes. */
const MAX_ADDRESSES = 16;

/** Nothing that tries to inject may be sent. The message is shown to the user. */
export class UnprovenAddressError extends Error {
  constructor(sentence: string) {
    super(`No active test was sent: ${sentence}`);
    this.name = 'UnprovenAddressError';
  }
}

/** Which addresses of a host the organization has proved, so that experiments may be sent there. */
@Injectable()
export class AddressProof {
  constructor(
    private readonly assets: AssetsService,
    private readonly runtime: EngineRuntime,
  ) {}

  /** For one test: the name may lead elsewhere since an active job. An address that is the host itself cannot change. */
  async pin(
    launch: Launchable,
    via: Via,
    before: Baseline | null = null,
  ): Promise<{ readonly pinned?: PinnedAddresses }> {
    const { target, beacon } = launch;
    if (!isWeb(target) || beacon !== null || canonicalIp(target.host) !== null) return {};
    const { answering } = await this.prove(target, launch, via);
    const seenAt = before?.on === 'web' ? before.address : null;
    if (seenAt !== null && !answering.includes(seenAt) && (await this.isProved(seenAt, answering, target, launch, via)))
      answering.push(seenAt);
    const has = (host: string, address: string): boolean => host !== target.host || answering.includes(address);
    return { pinned: { keep: async () => {}, has } };
  }

  /** The addresses that answer and serve the proof file, or need none. */
  async prove(target: WebTarget, launch: Launchable, via: Via) {
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
    const day = dayOf(file.due);
    return { answering, unproven: `${unproven} From ${day} on, no active test is sent without it.` };
  }

  /** Whether an address is proved that the DNS no longer gives: its service may have given it to someone else. */
  private async isProved(
    address: string,
    answering: readonly string[],
    target: WebTarget,
    launch: Launchable,
    via: Via,
  ): Promise<boolean> {
    if (isInPublishedRange(address)) return answering.some(isInPublishedRange);
    if (this.isExempt(launch, address)) return true;
    const asset = await this.assets.find(scope, launch.assetId);
    const file = asset === undefined ? null : proofFileOf(asset);
    return file !== null && (await this.missing(target, file, { ...via, address })) === null;
  }

  /** The operator allows the address to this organization, or its hosting service tells hosts apart by their names. */
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
