import { Injectable } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import type { Actor } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import { FindingsRepository } from '../changes/data/findings.repository';
import {
  type CarriedCheck,
  type Carrier,
  type CarrierGroup,
  type CheckToBind,
  ProposedChecksRepository,
} from './data/proposed-checks.repository';

const MAX_SIGHTINGS = 100;

/** Lists the checks that the results of an import carry, and binds them to findings. */
@Injectable()
export class ProposedChecksService {
  constructor(
    private readonly proposed: ProposedChecksRepository,
    private readonly findings: FindingsRepository,
  ) {}

  listTemplates(importId: number, limit: number): Promise<CarriedCheck[]> {
    return this.proposed.listTemplates(importId, limit);
  }

  listReplays(importId: number, exceptTemplates: readonly string[], limit: number): Promise<CarriedCheck[]> {
    return this.proposed.listReplays(importId, exceptTemplates, limit);
  }

  /** The sightings of a group whose findings are open and have no check, in batches. */
  async *carriersOf(importId: number, group: CarrierGroup, batch: number): AsyncGenerator<Carrier[]> {
    for (let after = '0'; ;) {
      const carriers = await this.proposed.listCarriers(importId, group, after, batch);
      if (carriers.length === 0) return;
      yield carriers;
      after = carriers.at(-1)?.id ?? after;
    }
  }

  /** How many different requests the replays of a group have, and the first of them. */
  replayedRequests(importId: number, group: CarrierGroup, limit: number) {
    return this.proposed.replayedRequests(importId, group, limit);
  }

  /** The sightings of a scanner whose findings are open and have no check, in batches. */
  async *sightingsOf(importId: number, scanner: string, batch: number): AsyncGenerator<Carrier[]> {
    for (let after = '0'; ;) {
      const sightings = await this.proposed.listOfScanner(importId, scanner, after, batch);
      if (sightings.length === 0) return;
      yield sightings;
      after = sightings.at(-1)?.id ?? after;
    }
  }

  /** The digests of what the last sightings of a finding carry. */
  async listOfFinding(scope: Scope, findingId: number) {
    const finding = await this.findings.findOne(scope, findingId);
    if (finding === undefined) throw notFound('Finding');
    return this.proposed.listOfFinding(findingId, MAX_SIGHTINGS);
  }

  /** Returns the findings that had no check before. */
  bind(
    organizationId: number,
    checks: readonly CheckToBind[],
    entry: { readonly actor: Actor; readonly comment: string } | null,
  ): Promise<number[]> {
    return this.proposed.bind(organizationId, checks, entry);
  }
}
