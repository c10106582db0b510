import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { operationsTagged } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { PathUuid } from '../../../platform/http/path-uuid';
import { JobReferences } from '../job-references.service';
import { PathReference, RecordReferenceRequest, SaveReferenceRequest } from './job-reference.requests';
import {
  JobReferenceListResponse,
  JobReferenceResponse,
  presentReference,
  referenceExample,
} from './job-reference.responses';

const Operation = operationsTagged('CI/CD jobs');
const { access_keys } = referenceExample;
const audited = (operation: string) => ({ operation, resource: 'asset', id: 'asset_id' }) as const;
const RECORDED = 'Recorded as the reference.';
const NOT_RECORDED = 'A later job is recorded already: nothing has changed.';

@Controller()
export class JobReferencesController {
  constructor(private readonly references: JobReferences) {}

  @Operation('GET /v1/assets/{asset_id}/references/', {
    id: 'listReferences',
    summary: 'List the references of an asset',
    description: 'What pipelines with `fail_on=new` compare with. An asset has at most 20.',
    role: 'viewer',
    success: {
      description: 'The references, by name.',
      body: JobReferenceListResponse,
      example: { references: [referenceExample] },
    },
  })
  async list(@CurrentCaller() caller: Caller, @PathId('asset_id') assetId: number): Promise<JobReferenceListResponse> {
    return { references: (await this.references.list(caller.scope, assetId)).map(presentReference) };
  }

  @Operation('PUT /v1/assets/{asset_id}/references/{reference}', {
    id: 'saveReference',
    summary: 'Add a reference to an asset, or name other keys',
    description: 'The recorded job stays. Only a key that the reference names can record a job.',
    role: 'admin',
    body: { example: { access_keys } },
    success: { description: 'The reference.', body: JobReferenceResponse, example: referenceExample },
    errors: [400, 401, 403, 404, 422],
    audit: audited('asset.save_reference'),
  })
  async save(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathReference('reference') name: string,
    @Body() { access_keys: accessKeys }: SaveReferenceRequest,
  ): Promise<JobReferenceResponse> {
    return presentReference(await this.references.save(caller, assetId, name, accessKeys));
  }

  @Operation('DELETE /v1/assets/{asset_id}/references/{reference}', {
    id: 'deleteReference',
    summary: 'Delete a reference of an asset',
    description: 'Pipelines that compare with it fail from now on.',
    role: 'admin',
    success: {
      description: 'The reference was deleted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Reference deleted.', id: null, success: true },
    },
    audit: audited('asset.delete_reference'),
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('asset_id') assetId: number,
    @PathReference('reference') name: string,
  ): Promise<Acknowledgement> {
    await this.references.remove(caller, assetId, name);
    return deleted('Reference', null);
  }

  @Operation('POST /v1/jobs/{uuid}/reference', {
    id: 'recordReference',
    summary: 'Record a finished job as a reference of its asset',
    description:
      'Keeps what the job saw, up to the 2,000 most severe findings, also after the job is deleted. The reference must name the key of this request. An earlier job does not replace a later one.',
    role: 'member',
    scope: 'ci',
    body: { example: { reference: 'main' } },
    success: {
      description: 'The job is recorded, or a later one already is.',
      body: Acknowledgement,
      example: { code: 200, description: RECORDED, id: null, success: true },
    },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'job.record_reference', resource: 'job', id: 'uuid' },
  })
  async record(
    @CurrentCaller() caller: Caller,
    @PathUuid('uuid') uuid: string,
    @Body() { reference }: RecordReferenceRequest,
  ): Promise<Acknowledgement> {
    return done((await this.references.record(caller, uuid, reference)) ? RECORDED : NOT_RECORDED);
  }
}
