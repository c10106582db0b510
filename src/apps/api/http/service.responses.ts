import { ResponseField } from '../../../platform/api/response-field';

export class VersionResponse {
  @ResponseField.string({ description: 'The version of the service.' })
  version!: string;

  @ResponseField.string({ description: 'The version of the API.' })
  api!: string;
}

class MeUser {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  email!: string;
}

class MeIntegrator {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.boolean({ description: 'Whether the subscription includes machine events.' })
  machine_events!: boolean;
}

class MeOrganization {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ enum: ['viewer', 'member', 'admin', 'owner'] })
  role!: string;

  @ResponseField.boolean({ description: 'Whether agents may change something through the MCP server.' })
  mcp_write!: boolean;
}

class MeKey {
  @ResponseField.string()
  access_key!: string;

  @ResponseField.string()
  label!: string;

  @ResponseField.strings()
  scopes!: string[];

  @ResponseField.integer({
    nullable: true,
    description: 'The organization that the key is limited to; null for no limit.',
  })
  organization_id!: number | null;

  @ResponseField.instant({ nullable: true })
  expires!: string | null;
}

export class MeResponse {
  @ResponseField.one(MeUser)
  user!: MeUser;

  @ResponseField.one(MeIntegrator, { nullable: true })
  integrator!: MeIntegrator | null;

  @ResponseField.list(MeOrganization, { description: 'The newest 100. GET /v1/organizations/ lists all of them.' })
  organizations!: MeOrganization[];

  @ResponseField.one(MeKey)
  key!: MeKey;
}

class NumberedEntry {
  @ResponseField.integer()
  number!: number;

  @ResponseField.string()
  name!: string;
}

class NumberedStatusEntry extends NumberedEntry {
  @ResponseField.integers({ description: 'The allowed next statuses.' })
  transitions!: readonly number[];
}

class NamedStatusEntry {
  @ResponseField.string()
  name!: string;

  @ResponseField.strings({ description: 'The allowed next statuses.' })
  transitions!: readonly string[];
}

class NumberedStatusVocabulary {
  @ResponseField.list(NumberedStatusEntry)
  statuses!: readonly NumberedStatusEntry[];
}

class NamedStatusVocabulary {
  @ResponseField.list(NamedStatusEntry)
  statuses!: readonly NamedStatusEntry[];
}

class AuditVocabulary {
  @ResponseField.strings()
  actor_types!: string[];

  @ResponseField.strings()
  statuses!: string[];

  @ResponseField.strings()
  resource_types!: string[];

  @ResponseField.strings()
  operation_categories!: string[];
}

class AssetVocabulary {
  @ResponseField.strings()
  types!: readonly string[];

  @ResponseField.integers({ description: 'The importance of the asset; 1 is the highest.' })
  tiers!: readonly number[];
}

class PriorityEntry {
  @ResponseField.integer({ description: '1 is the most urgent.' })
  number!: number;

  @ResponseField.strings({
    description:
      'The severities with this priority. An asset of tier 1 and a CVE that is or may be exploited make it more urgent.',
  })
  severities!: readonly string[];
}

class FindingVocabulary extends NumberedStatusVocabulary {
  @ResponseField.list(NumberedEntry, { description: 'In ascending order.' })
  severities!: readonly NumberedEntry[];

  @ResponseField.list(PriorityEntry)
  priorities!: readonly PriorityEntry[];
}

class RetestVocabulary extends NamedStatusVocabulary {
  @ResponseField.strings()
  results!: readonly string[];
}

class EventVocabulary extends NamedStatusVocabulary {
  @ResponseField.list(NumberedEntry)
  types!: readonly NumberedEntry[];

  @ResponseField.list(NumberedEntry)
  categories!: readonly NumberedEntry[];

  @ResponseField.strings()
  dimensions!: readonly string[];

  @ResponseField.strings({ description: 'The units of the default duration; a month is 30 days.' })
  duration_units!: readonly string[];
}

class ObservationVocabulary extends NamedStatusVocabulary {
  @ResponseField.strings()
  change_kinds!: readonly string[];
}

class ReportVocabulary {
  @ResponseField.strings()
  formats!: readonly string[];

  @ResponseField.strings()
  sections!: readonly string[];
}

export class EnumsResponse {
  @ResponseField.strings({ description: 'In ascending order.' })
  roles!: string[];

  @ResponseField.strings()
  key_scopes!: string[];

  @ResponseField.one(AuditVocabulary)
  audit!: AuditVocabulary;

  @ResponseField.one(AssetVocabulary)
  assets!: AssetVocabulary;

  @ResponseField.one(FindingVocabulary)
  findings!: FindingVocabulary;

  @ResponseField.one(RetestVocabulary)
  retests!: RetestVocabulary;

  @ResponseField.one(NumberedStatusVocabulary)
  beacons!: NumberedStatusVocabulary;

  @ResponseField.one(NamedStatusVocabulary)
  discoveries!: NamedStatusVocabulary;

  @ResponseField.one(ObservationVocabulary)
  observations!: ObservationVocabulary;

  @ResponseField.one(EventVocabulary)
  events!: EventVocabulary;

  @ResponseField.one(NamedStatusVocabulary)
  jobs!: NamedStatusVocabulary;

  @ResponseField.one(ReportVocabulary)
  reports!: ReportVocabulary;
}
