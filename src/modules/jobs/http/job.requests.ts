import { invalid } from '../../../kernel/domain-error';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { TEST_DEPTHS, type TestDepth } from '../../../kernel/test-depth';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { Flag, Id, ListOf, OneOf, TextWithRule, Text } from '../../../platform/http/fields';
import { BUILT_IN_TAG } from '../../checks';
import { MAX_ENTRIES, MAX_ENTRY_LENGTH, MAX_TEMPLATES } from '../domain/check-selection';
import { DEFAULT_REFERENCE, MAX_NAME_LENGTH, requireReferenceText } from '../domain/job-reference';
import { parseLaunchUrl } from '../domain/launch-url';
import { MAX_HAR_LENGTH, MAX_SEED_URLS } from '../domain/seeds';
import { ImageDigest, statedByCaller } from '../../evidence';
import type { JobAttestationOrder } from '../job-attestations.service';
import type { SuccessQuery } from '../job-outcomes';
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

/** How far a job goes. */
export const Depth = (): PropertyDecorator =>
  OneOf(TEST_DEPTHS, {
    nullable: true,
    description:
      '`active` also crawls the site and sends experiments that try to inject, for up to 2 hours and 20,000 requests. An admin must allow that on the asset. The default is `standard`.',
  });

const MAX_ACCOUNTS = 5;

/** The accounts that a job signs in with after its run without a session. */
export const AccountsOfLaunch = (): PropertyDecorator =>
  ListOf(
    {
      check: (one) =>
        (typeof one === 'string' && one.length > 0 && one.length <= 200) ||
        (Number.isInteger(one) && Number(one) > 0 && Number(one) <= 2_147_483_647),
      sentence: 'is the name or the id of an account of the asset',
      items: {
        oneOf: [
          { type: 'string', minLength: 1, maxLength: 200 },
          { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
        ],
      },
      unique: true,
    },
    0,
    MAX_ACCOUNTS,
    {
      nullable: true,
      description:
        'Accounts of the asset, by name or id. The job runs once without a session, and once signed in with each. It ends in ERROR if one of them is not proved to be signed in.',
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

  @Depth()
  depth?: TestDepth | null;
}

export class LaunchJobRequest extends JobRequest {
  @ListOf(
    {
      check: (entry) => typeof entry === 'string' && entry.length > 0 && entry.length <= MAX_URL_LENGTH,
      sentence: `is a URL, a string of 1 to ${MAX_URL_LENGTH} characters`,
      items: { type: 'string', format: 'uri', minLength: 1, maxLength: MAX_URL_LENGTH },
    },
    0,
    MAX_SEED_URLS,
    { nullable: true, description: 'With depth active: URLs of the same origin, where the crawl begins as well.' },
  )
  urls?: string[] | null;

  @Text(1, MAX_HAR_LENGTH, {
    nullable: true,
    description:
      'With depth active: the text of a HAR file, of which the GET requests to the same origin are where the crawl begins as well. Credentials, and cookies that look like sessions, are left out. It must fit into the body, so remove the responses first.',
  })
  har?: string | null;

  @AccountsOfLaunch()
  accounts?: (string | number)[] | null;
}

export const launchParametersOf = (body: JobRequest): LaunchParameters => ({
  url: body.url,
  beaconId: body.beacon_id ?? null,
  eventSlug: body.event_slug ?? null,
  checks: body.checks ?? null,
  depth: body.depth ?? 'standard',
});

export const launchOf = ({ urls, har, accounts, ...body }: LaunchJobRequest): LaunchParameters => ({
  ...launchParametersOf(body),
  accounts: accounts ?? [],
  seeds: { urls: urls ?? [], har: har ?? null },
});

/** What a pipeline asks the gate. */
class GateQuery {
  @OneOf(SEVERITIES, { optional: true, description: 'The least severity that counts; medium by default.' })
  severity?: Severity;

  @OneOf(['allow'], {
    optional: true,
    description:
      'Continue although checks could not be completed. Not for a check with an open finding on the origin, nor for a job that completed fewer than half of its checks. The audit log records it.',
  })
  incomplete?: 'allow';

  @OneOf(['all', 'new'], {
    optional: true,
    description:
      '`new` fails only for what the `reference` did not have, or what was fixed since or is now more severe; incomplete checks fail as before. The default is `all`.',
  })
  fail_on?: 'all' | 'new';

  @TextWithRule(
    requireReferenceText,
    { minLength: 1, maxLength: MAX_NAME_LENGTH + 10 },
    {
      optional: true,
      description: `With fail_on=new: a reference of the asset of the job, \`${DEFAULT_REFERENCE}\` by default; of another asset as \`12/main\`. An unknown one fails.`,
    },
  )
  reference?: string;
}

export class JobSuccessQuery extends GateQuery {
  @Flag({ optional: true, description: 'Respond with 422 instead of 200 when the job failed.' })
  fail?: boolean;
}

export class JobEvidenceQuery extends GateQuery {
  @OneOf(['tests', 'gate'], {
    optional: true,
    description: '`tests` (the default) is a Test Result v0.1, `gate` a Simple Verification Result v0.2.',
  })
  statement: 'tests' | 'gate' = 'tests';

  @ImageDigest()
  image_digest?: string;
}

export function attestationOrderOf({ statement, image_digest, ...gate }: JobEvidenceQuery): JobAttestationOrder {
  const given = Object.keys(gate).find((name) => gate[name as keyof GateQuery] !== undefined);
  if (statement === 'tests' && given !== undefined) throw invalid(`${given} is only for statement=gate.`);
  return { gate: statement === 'gate' ? successQueryOf(gate) : undefined, stated: statedByCaller(image_digest) };
}

export const successQueryOf = ({
  severity: threshold,
  incomplete,
  fail_on: failOn,
  reference,
}: GateQuery): SuccessQuery => ({
  threshold,
  allowsIncomplete: incomplete === 'allow',
  ...(failOn === 'new' && { newSince: reference ?? DEFAULT_REFERENCE }),
});
