import { Injectable } from '@nestjs/common';
import type { Scope } from '../../platform/api/scope';
import { BeaconsService } from '../beacons';

/** A beacon as reports and pages name it. */
export interface BeaconName {
  readonly id: number;
  readonly name: string;
}

/** The most beacons of an organization. */
const MAX_BEACONS = 100;

/** The names of the beacons through which targets were tested. Findings, jobs and retests outlive their beacon. */
@Injectable()
export class BeaconNames {
  constructor(private readonly beacons: BeaconsService) {}

  /** Newest first. */
  async listOf(scope: Scope, organizationId: number): Promise<BeaconName[]> {
    const { items } = await this.beacons.list(scope, organizationId, { page: 1, perPage: MAX_BEACONS });
    return items.map(({ id, name }) => ({ id, name }));
  }

  /** By their ids, without null. Deleted beacons are named by their id. */
  async namesOf(
    scope: Scope,
    organizationId: number,
    ids: Iterable<number | null>,
  ): Promise<ReadonlyMap<number, BeaconName>> {
    const wanted = [...new Set(ids)].filter((id) => id !== null);
    if (wanted.length === 0) return new Map();
    const known = new Map((await this.listOf(scope, organizationId)).map((beacon) => [beacon.id, beacon]));
    return new Map(wanted.map((id) => [id, known.get(id) ?? { id, name: `${id} (deleted)` }]));
  }
}
