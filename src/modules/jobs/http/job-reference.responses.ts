import { presented, ResponseField } from '../../../platform/api/response-field';
import type { JobReference } from '../data/job-reference.entity';

export class JobReferenceResponse {
  @ResponseField.string()
  name!: string;

  @ResponseField.strings({ description: 'The API keys that may record jobs.' })
  access_keys!: string[];

  @ResponseField.string({ nullable: true, description: 'The recorded job, which may be deleted since. Null for none.' })
  job_uuid!: string | null;

  @ResponseField.instant({ nullable: true, description: 'When the recorded job ended.' })
  tested_at!: string | null;

  @ResponseField.instant({ nullable: true })
  recorded_at!: string | null;

  @ResponseField.string({ nullable: true, description: 'The API key that recorded it.' })
  recorded_by!: string | null;
}

export class JobReferenceListResponse {
  @ResponseField.list(JobReferenceResponse)
  references!: JobReferenceResponse[];
}

export const presentReference = (reference: JobReference) => presented(JobReferenceResponse, reference, {});

export const referenceExample: JobReferenceResponse = {
  name: 'main',
  access_keys: ['ak_0a1b2c3d4e5f6a7b'],
  job_uuid: '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11',
  tested_at: '2026-01-31T12:00:24.000Z',
  recorded_at: '2026-01-31T12:00:30.000Z',
  recorded_by: 'ak_0a1b2c3d4e5f6a7b',
};
