import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { conflict } from '../../kernel/domain-error';
import type { Actor } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { SecondApproval } from '../approvals';
import { changingWord } from '../findings';
import { AcceptedChecksOnManyRepository } from './data/accepted-checks-on-many.repository';
import type { Asset } from './data/asset.entity';
import type { AssetChange } from './data/assets.repository';
import { requireAllowablePath, requireAllowedTests } from './domain/active-tests';
import { hostOfAsset } from './domain/asset-coverage';
import { Hostings } from './hostings';

/** As it waits for a second admin. */
export interface ProposedLabels {
  readonly asset_id: number;
  readonly labels: readonly string[];
}

const scope = everything('the caller has read the organization');

/** What a change of an asset must keep besides the rules of its own fields. */
@Injectable()
export class AssetRules {
  constructor(
    private readonly hostings: Hostings,
    private readonly accepted: AcceptedChecksOnManyRepository,
    private readonly approval: SecondApproval,
    private readonly clock: Clock,
  ) {}

  /** Tests of a host that someone else runs need a confirmation first. */
  async requireAllowedTests(asset: Asset, change: AssetChange): Promise<void> {
    const host = hostOfAsset(asset);
    const isElsewhere = asset.beaconId === null && host !== null;
    const hosting = isElsewhere ? await this.hostings.ofHost(asset.organizationId, host) : null;
    requireAllowedTests(change, host ?? asset.value, hosting);
    for (const path of change.allowedPaths ?? []) requireAllowablePath(path, changingWord(path));
  }

  /** A label for which checks are accepted hides their findings on the asset, as accepting them on the asset does. */
  async requireLabels(actor: Actor, { id, organizationId, value, labels: from }: Asset, to: readonly string[]) {
    const added = to.filter((label) => !from.includes(label));
    const checks = await this.listAccepted(organizationId, added);
    if (checks.length === 0 && actor.approved === undefined) return;
    await this.approval.require(actor, {
      organizationId,
      kind: 'asset.change',
      payload: { asset_id: id, labels: to } satisfies ProposedLabels,
      seen: [from, checks],
      summary: `Add the labels ${added.join(', ')} to ${value}, for which checks are accepted: ${checks.join(', ')}.`,
    });
  }

  async requireLabelsOfNew(organizationId: number, labels: readonly string[]): Promise<void> {
    if ((await this.listAccepted(organizationId, labels)).length === 0) return;
    if (await this.approval.isRequiredOf(organizationId)) throw needsApprovalOfLabels();
  }

  private async listAccepted(organizationId: number, labels: readonly string[]): Promise<string[]> {
    if (labels.length === 0) return [];
    const now = this.clock.now();
    const all = await this.accepted.list(scope, organizationId);
    return all.filter(({ label, until }) => labels.includes(label) && until > now).map(({ checkId }) => checkId);
  }
}

const needsApprovalOfLabels = () =>
  conflict(
    'Checks are accepted for one of the labels, and the organization requires a second approval. Add the asset without it, then change its labels.',
  );
