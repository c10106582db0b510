import { invalid } from '../../../kernel/domain-error';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { MAX_URL_LENGTH, requireWebUrl } from '../../../kernel/web-url';
import {
  Decimal,
  Flag,
  Id,
  Integer,
  Name,
  Nested,
  OneOf,
  SingleLineText,
  Text,
  TextWithRule,
} from '../../../platform/http/fields';
import { recognizeAsset } from '../../assets';
import {
  type CheckInput,
  Cve,
  libraryIdOf,
  MAX_LOCATION_LENGTH,
  parseCheck,
  type ParsedCheck,
  References,
  severityOfFinding,
} from '../../findings';
import type { FindingToRecord } from '../event-findings.service';

function requireAssetValue(text: string): string {
  const recognized = recognizeAsset(text);
  if (recognized !== undefined) return recognized.value;
  throw invalid('asset_value must be a domain, an http or https URL, an IP address or a CIDR.');
}

/** The URL of a finding, and the input that is affected there. */
export const Location = (): PropertyDecorator =>
  TextWithRule(
    (text) => requireWebUrl(text, 'location').href,
    { minLength: 1, maxLength: MAX_URL_LENGTH },
    { nullable: true, description: 'The http or https URL at which it was seen, on the asset of the finding.' },
  );

export const Parameter = (): PropertyDecorator =>
  SingleLineText(200, {
    nullable: true,
    description: 'The input that is affected, such as the name of a query parameter.',
  });

export class CheckOfFindingRequest {
  @Text(1, 105, {
    optional: true,
    description:
      'The id of a built-in check, or of a loaded template such as `http:CVE-2024-0001`, whose current YAML is stored with the finding. GET /v1/checks lists both.',
  })
  id?: string;

  @Text(0, 65_536, {
    optional: true,
    description:
      'Alternatively a YAML check in the form of HTTP templates, with id, info and http. docs/templates.md says which parts of the format run. Unsupported features are refused by name.',
  })
  http?: string;

  @Text(1, MAX_LOCATION_LENGTH, {
    description:
      'The location that the check tests: a URL, or tcp://host:port for a service. It must be on the asset of the finding.',
  })
  location!: string;

  @Flag({
    optional: true,
    description:
      'Allows a YAML check to send requests with methods other than GET, HEAD and OPTIONS, in retests and in the initial verification. Requires the role admin. Absent: as before for the same check, otherwise not.',
  })
  allow_unsafe?: boolean;
}

export class RecordFindingRequest {
  @Name(500, { description: 'A finding with the same title on the same asset is the same finding, in all events.' })
  title!: string;

  @Text(0, 65_536, { nullable: true, description: 'Markdown.' })
  md?: string | null;

  @Id({ nullable: true, description: 'The id of the asset. Set this or asset_value.' })
  asset_id?: number | null;

  @TextWithRule(
    requireAssetValue,
    { minLength: 1, maxLength: 2_048 },
    { nullable: true, description: 'The value of the asset, even if it is not in the list of assets.' },
  )
  asset_value?: string | null;

  @OneOf(SEVERITIES, { nullable: true, description: 'Set one of severity, score and cvss_vector.' })
  severity?: Severity | null;

  @Decimal(0, 10, { nullable: true })
  score?: number | null;

  @Text(1, 300, { nullable: true, description: 'CVSS 3.0, 3.1 or 4.0.' })
  cvss_vector?: string | null;

  @Decimal(0, 10, { nullable: true, description: 'The score that the tester asks for.' })
  requested_score?: number | null;

  @Cve()
  cve?: string | null;

  @Integer(1, 99_999, {
    nullable: true,
    description: 'The number in the Common Weakness Enumeration. By default the CWE of the check.',
  })
  cwe?: number | null;

  @Location()
  location?: string | null;

  @Parameter()
  parameter?: string | null;

  @References({ optional: true })
  references?: string[];

  @Nested(CheckOfFindingRequest, 'with id or http, and location', {
    nullable: true,
    description: 'The check that a retest runs. Without it a retest waits for a manual verdict.',
  })
  check?: CheckOfFindingRequest | null;
}

/** The template of a library is read later. */
function checkToRecord({
  id,
  http,
  location,
  allow_unsafe: allowUnsafe,
}: CheckOfFindingRequest): ParsedCheck | CheckInput {
  const input = { id, http, location, allowUnsafe };
  return libraryIdOf(input) === null ? parseCheck(input) : input;
}

/** Validates how the fields go together here, so that a malformed request is refused before the first read. */
export function findingToRecord(body: RecordFindingRequest): FindingToRecord {
  const { title, md, severity, score, cvss_vector: cvssVector, cve, cwe, references } = body;
  severityOfFinding({ severity, score, cvssVector });
  const check = body.check == null ? null : checkToRecord(body.check);
  const requestedScore = body.requested_score ?? null;
  const { location = null, parameter = null } = body;
  const stated = { title, md: md ?? null, severity, score, requestedScore, cvssVector, cve, cwe, references };
  const seen = { location, parameter };
  return { ...stated, ...seen, check, assetReference: assetReferenceOf(body) };
}

function assetReferenceOf({
  asset_id: assetId,
  asset_value: assetValue,
}: RecordFindingRequest): FindingToRecord['assetReference'] {
  const byId = assetId === null || assetId === undefined ? [] : [{ assetId }];
  const byValue =
    assetValue === null || assetValue === undefined ? [] : [{ assetValue: requireAssetValue(assetValue) }];
  const [reference, another] = [...byId, ...byValue];
  if (reference === undefined) throw invalid('Set asset_id or asset_value to the asset of the finding.');
  if (another !== undefined) throw invalid('Set only one of asset_id and asset_value.');
  return reference;
}
