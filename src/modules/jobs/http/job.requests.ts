import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Flag, Id, OneOf, TextWithRule, Text } from '../../../platform/http/fields';
import { parseLaunchUrl } from '../domain/launch-url';
import type { LaunchParameters } from '../jobs.service';

export class JobRequest {
  @TextWithRule(
    parseLaunchUrl,
    { format: 'uri', maxLength: 2048 },
    { description: 'The URL of a page, with http or https and without user information.' },
  )
  url!: string;

  @Id({ nullable: true, description: 'The beacon that connects the host. An asset with this beacon must cover it.' })
  beacon_id?: number | null;

  @Text(0, 200, { nullable: true, description: 'The event of the job. It must be running.' })
  event_slug?: string | null;
}

export const launchParametersOf = ({
  url,
  beacon_id: beaconId,
  event_slug: eventSlug,
}: JobRequest): LaunchParameters => ({
  url,
  beaconId: beaconId ?? null,
  eventSlug: eventSlug ?? null,
});

export class JobSuccessQuery {
  @OneOf(SEVERITIES, { optional: true, description: 'The least severity that counts; medium by default.' })
  severity?: Severity;

  @Flag({ optional: true, description: 'Respond with 422 instead of 200 when the job failed.' })
  fail?: boolean;
}
