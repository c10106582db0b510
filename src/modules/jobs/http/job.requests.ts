import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Flag, Id, OneOf, RuledText, Text } from '../../../platform/http/fields';
import { parseLaunchUrl } from '../domain/launch-url';
import type { JobOrder } from '../jobs.service';

export class JobRequest {
  @RuledText(
    parseLaunchUrl,
    { format: 'uri', maxLength: 2048 },
    { description: 'One page; with http or https, and without user information.' },
  )
  url!: string;

  @Id({ nullable: true, description: 'The beacon through which the host is reached.' })
  beacon_id?: number | null;

  @Text(0, 200, { nullable: true, description: 'The event that the job is part of; it must be running.' })
  event_slug?: string | null;
}

export const orderOf = ({ url, beacon_id: beaconId, event_slug: eventSlug }: JobRequest): JobOrder => ({
  url,
  beaconId: beaconId ?? null,
  eventSlug: eventSlug ?? null,
});

export class JobSuccessQuery {
  @OneOf(SEVERITIES, { optional: true, description: 'The least severity that counts; medium when nothing is said.' })
  severity?: Severity;

  @Flag({ optional: true, description: 'Answer with 422 instead of 200 when the job was no success.' })
  fail?: boolean;
}
