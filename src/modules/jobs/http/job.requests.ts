import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Flag, Id, ListOf, OneOf, TextWithRule, Text } from '../../../platform/http/fields';
import { BUILT_IN_TAG } from '../../checks';
import { MAX_ENTRIES, MAX_ENTRY_LENGTH, MAX_TEMPLATES } from '../domain/check-selection';
import { parseLaunchUrl } from '../domain/launch-url';
import type { LaunchParameters } from '../jobs.service';

/** Which checks a job runs. */
export const ChecksOfLaunch = (): PropertyDecorator =>
  ListOf(
    {
      check: (entry) => typeof entry === 'string' && entry.length > 0 && entry.length <= MAX_ENTRY_LENGTH,
      sentence: `is the id of a check or a tag, a string of 1 to ${MAX_ENTRY_LENGTH} characters`,
      items: { type: 'string', minLength: 1, maxLength: MAX_ENTRY_LENGTH },
    },
    1,
    MAX_ENTRIES,
    {
      nullable: true,
      description: `The only checks that run, by their ids or by tags of loaded templates, at most ${MAX_TEMPLATES} templates; \`${BUILT_IN_TAG}\` selects all built-in checks. Without it, all built-in checks run. GET /v1/checks lists them.`,
    },
  );

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

  @ChecksOfLaunch()
  checks?: string[] | null;
}

export const launchParametersOf = ({
  url,
  beacon_id: beaconId,
  event_slug: eventSlug,
  checks,
}: JobRequest): LaunchParameters => ({
  url,
  beaconId: beaconId ?? null,
  eventSlug: eventSlug ?? null,
  checks: checks ?? null,
});

export class JobSuccessQuery {
  @OneOf(SEVERITIES, { optional: true, description: 'The least severity that counts; medium by default.' })
  severity?: Severity;

  @Flag({ optional: true, description: 'Respond with 422 instead of 200 when the job failed.' })
  fail?: boolean;

  @OneOf(['allow'], {
    optional: true,
    description:
      'Continue although checks could not be completed. Not for a check with an open finding on the origin, nor for a job that completed fewer than half of its checks. The audit log records it.',
  })
  incomplete?: 'allow';
}
