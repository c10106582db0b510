import { Injectable } from '@nestjs/common';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { AssetsService } from '../assets';
import { OrganizationsService } from '../organizations';
import type { JobReference } from './data/job-reference.entity';
import { JobReferencesRepository } from './data/job-references.repository';
import { JobsRepository } from './data/jobs.repository';
import { jobNotFound } from './domain/job.errors';
import {
  keyNotNamed,
  MAX_OF_ASSET,
  MAX_OF_ORGANIZATION,
  notRecordable,
  recordedFindings,
  referenceNotFound,
  requireReferenceName,
  tooManyReferences,
} from './domain/job-reference';
import { JobOutcomes } from './job-outcomes';

/** What pipelines with `fail_on=new` compare with. */
@Injectable()
export class JobReferences {
  constructor(
    private readonly references: JobReferencesRepository,
    private readonly jobs: JobsRepository,
    private readonly outcomes: JobOutcomes,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: Scope, assetId: number): Promise<JobReference[]> {
    const { id } = await this.assets.get(scope, assetId);
    return this.references.listOfVisible(id);
  }

  /** Adds a reference, or names other keys. What was recorded stays. */
  async save(caller: Caller, assetId: number, name: string, accessKeys: readonly string[]): Promise<JobReference> {
    requireReferenceName(name);
    const id = await this.lockForAdmin(caller, assetId, name);
    const earlier = await this.references.findOneOfVisible(id);
    if (earlier === undefined) {
      const { all, ofAsset } = await this.references.countOfLocked(id.organizationId, assetId);
      if (ofAsset >= MAX_OF_ASSET) throw tooManyReferences(MAX_OF_ASSET, 'asset');
      if (all >= MAX_OF_ORGANIZATION) throw tooManyReferences(MAX_OF_ORGANIZATION, 'organization');
    }
    await this.references.saveKeys(id, accessKeys);
    this.unitOfWork.note({ metadata: { from: earlier?.accessKeys ?? null, to: accessKeys } });
    return orThrow(await this.references.findOneOfVisible(id), referenceNotFound);
  }

  async remove(caller: Caller, assetId: number, name: string): Promise<void> {
    const id = await this.lockForAdmin(caller, assetId, name);
    const { accessKeys, jobUuid } = orThrow(await this.references.remove(id), referenceNotFound);
    this.unitOfWork.note({ metadata: { from: accessKeys, to: null, job: jobUuid } });
  }

  /** Records the job in a reference of its asset. Returns false if a later job is recorded already. */
  async record(caller: Caller, uuid: string, name: string): Promise<boolean> {
    const job = orThrow(await this.jobs.findOne(caller.scope, uuid), jobNotFound);
    const { organizationId, assetId, finished } = job;
    this.unitOfWork.note({ organizationId, metadata: { reference: name, asset_id: assetId } });
    caller.requireRole('member', organizationId);
    if (job.status !== 'FINISHED' || finished === null) throw notRecordable();
    const id = { organizationId, assetId: assetId ?? 0, name };
    const reference = orThrow(await this.references.lockOneOfVisible(id), referenceNotFound);
    const { accessKey } = caller.key;
    if (!reference.accessKeys.includes(accessKey)) throw keyNotNamed(name);
    if (reference.testedAt !== null && reference.testedAt > finished) return false;
    const findings = recordedFindings(await this.outcomes.placesToRecord(job));
    await this.references.record(id, { jobUuid: uuid, testedAt: finished, recordedBy: accessKey, findings });
    this.unitOfWork.note({ metadata: { from: reference.jobUuid, findings: findings.length } });
    return true;
  }

  /** Keeps the asset from being deleted until the transaction ends. */
  private async lockForAdmin(caller: Caller, assetId: number, name: string) {
    const { organizationId } = await this.assets.get(caller.scope, assetId);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const asset = await this.assets.lockForKeyShare(caller.scope, assetId);
    this.unitOfWork.note({ metadata: { asset: asset.value, reference: name } });
    return { organizationId, assetId, name };
  }
}
