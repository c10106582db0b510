import { Injectable } from '@nestjs/common';
import { isWeb, type PinnedAddresses, type Via } from '../../../engine';
import { canonicalIp } from '../../../kernel/cidr';
import { AddressProof, type Launchable } from '../../retests';
import { JobAddressesRepository } from '../data/job-addresses.repository';
import type { Job } from '../data/job.entity';

export interface StartOfJob {
  readonly pinned: PinnedAddresses;
  /** Which address has no proof, while jobs still run without it. */
  readonly warning: string | null;
}

/** The addresses that an active job dials: those that the host has at its start, each of which the organization has proved. */
@Injectable()
export class JobAddresses {
  constructor(
    private readonly addresses: JobAddressesRepository,
    readonly proof: AddressProof,
  ) {}

  /** Also after another worker has begun the job, whose addresses then hold. */
  async start(job: Job, launch: Launchable, via: Via): Promise<StartOfJob> {
    const known = new Map(Object.entries(await this.addresses.findAddressesOfVisible(job.id)));
    const has: PinnedAddresses['has'] = (host, address) => known.get(host)?.includes(address) === true;
    const keep: PinnedAddresses['keep'] = async (host, found) => {
      if (!known.has(host)) known.set(host, await this.addresses.keepAddresses(job.id, host, found));
    };
    const pinned = { keep, has };
    const { target } = launch;
    if (!isWeb(target)) return { pinned, warning: null };
    const asking = { keep: async () => {}, has: (host: string, one: string) => !known.has(host) || has(host, one) };
    const { answering, unproven } = await this.proof.prove(target, launch, { ...via, pinned: asking });
    if (canonicalIp(target.host) === null) await keep(target.host, answering);
    return { pinned, warning: unproven };
  }
}
