import { Shown } from '../../../platform/api/shown';

export class VersionResponse {
  @Shown.string({ description: 'The version of the service.' })
  version!: string;

  @Shown.string({ description: 'The version of the API.' })
  api!: string;
}

class MeUser {
  @Shown.integer()
  id!: number;

  @Shown.string()
  email!: string;
}

class MeIntegrator {
  @Shown.integer()
  id!: number;

  @Shown.string()
  name!: string;

  @Shown.boolean({ description: 'Whether the subscription includes machine events.' })
  machine_events!: boolean;
}

class MeOrganization {
  @Shown.integer()
  id!: number;

  @Shown.string()
  name!: string;

  @Shown.string({ enum: ['viewer', 'member', 'admin', 'owner'] })
  role!: string;
}

class MeKey {
  @Shown.string()
  access_key!: string;

  @Shown.string()
  label!: string;

  @Shown.strings()
  scopes!: string[];

  @Shown.integer({ nullable: true, description: 'The organization that the key is limited to; null for no limit.' })
  organization_id!: number | null;

  @Shown.instant({ nullable: true })
  expires!: string | null;
}

export class MeResponse {
  @Shown.one(MeUser)
  user!: MeUser;

  @Shown.one(MeIntegrator, { nullable: true })
  integrator!: MeIntegrator | null;

  @Shown.list(MeOrganization, { description: 'The newest 100. GET /v1/organizations/ lists all of them.' })
  organizations!: MeOrganization[];

  @Shown.one(MeKey)
  key!: MeKey;
}

class AuditVocabulary {
  @Shown.strings()
  actor_types!: string[];

  @Shown.strings()
  statuses!: string[];

  @Shown.strings()
  resource_types!: string[];

  @Shown.strings()
  operation_categories!: string[];
}

class AssetVocabulary {
  @Shown.strings()
  types!: readonly string[];

  @Shown.integers({ description: 'The importance of the asset; 1 is the highest.' })
  tiers!: readonly number[];
}

class FindingStatusEntry {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;

  @Shown.integers({ description: 'The allowed next statuses.' })
  transitions!: readonly number[];
}

class SeverityEntry {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;
}

class PriorityEntry {
  @Shown.integer({ description: '1 is the most urgent.' })
  number!: number;

  @Shown.strings({
    description: 'The severities with this priority. On an asset of tier 1 the priority is one step higher.',
  })
  severities!: readonly string[];
}

class FindingVocabulary {
  @Shown.list(FindingStatusEntry)
  statuses!: readonly FindingStatusEntry[];

  @Shown.list(SeverityEntry, { description: 'In ascending order.' })
  severities!: readonly SeverityEntry[];

  @Shown.list(PriorityEntry)
  priorities!: readonly PriorityEntry[];
}

class RetestStatusEntry {
  @Shown.string()
  name!: string;

  @Shown.strings({ description: 'The allowed next statuses.' })
  transitions!: readonly string[];
}

class RetestVocabulary {
  @Shown.list(RetestStatusEntry)
  statuses!: readonly RetestStatusEntry[];

  @Shown.strings()
  results!: readonly string[];
}

class BeaconStatusEntry {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;

  @Shown.integers({ description: 'The allowed next statuses.' })
  transitions!: readonly number[];
}

class BeaconVocabulary {
  @Shown.list(BeaconStatusEntry)
  statuses!: readonly BeaconStatusEntry[];
}

class NamedStatusEntry {
  @Shown.string()
  name!: string;

  @Shown.strings({ description: 'The allowed next statuses.' })
  transitions!: readonly string[];
}

class NumberedEntry {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;
}

class EventVocabulary {
  @Shown.list(NamedStatusEntry)
  statuses!: readonly NamedStatusEntry[];

  @Shown.list(NumberedEntry)
  types!: readonly NumberedEntry[];

  @Shown.list(NumberedEntry)
  categories!: readonly NumberedEntry[];

  @Shown.strings()
  dimensions!: readonly string[];

  @Shown.strings({ description: 'The units of the default duration; a month is 30 days.' })
  duration_units!: readonly string[];
}

class JobVocabulary {
  @Shown.list(NamedStatusEntry)
  statuses!: readonly NamedStatusEntry[];
}

class ReportVocabulary {
  @Shown.strings()
  formats!: readonly string[];

  @Shown.strings()
  sections!: readonly string[];
}

export class EnumsResponse {
  @Shown.strings({ description: 'In ascending order.' })
  roles!: string[];

  @Shown.strings()
  key_scopes!: string[];

  @Shown.one(AuditVocabulary)
  audit!: AuditVocabulary;

  @Shown.one(AssetVocabulary)
  assets!: AssetVocabulary;

  @Shown.one(FindingVocabulary)
  findings!: FindingVocabulary;

  @Shown.one(RetestVocabulary)
  retests!: RetestVocabulary;

  @Shown.one(BeaconVocabulary)
  beacons!: BeaconVocabulary;

  @Shown.one(EventVocabulary)
  events!: EventVocabulary;

  @Shown.one(JobVocabulary)
  jobs!: JobVocabulary;

  @Shown.one(ReportVocabulary)
  reports!: ReportVocabulary;
}
