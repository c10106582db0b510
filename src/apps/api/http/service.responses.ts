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

  @Shown.boolean({ description: 'Whether the subscription has machine events.' })
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

  @Shown.integer({ nullable: true, description: 'The one organization that the key is limited to.' })
  organization_id!: number | null;

  @Shown.instant({ nullable: true })
  expires!: string | null;
}

export class MeResponse {
  @Shown.one(MeUser)
  user!: MeUser;

  @Shown.one(MeIntegrator, { nullable: true })
  integrator!: MeIntegrator | null;

  @Shown.list(MeOrganization, { description: 'The newest 100; all of them page by page at /v1/organizations/.' })
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

  @Shown.integers({ description: 'How much depends on it: 1 most.' })
  tiers!: readonly number[];
}

class FindingStatusWord {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;

  @Shown.integers({ description: 'What it may become.' })
  transitions!: readonly number[];
}

class SeverityWord {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;
}

class PriorityWord {
  @Shown.integer({ description: '1 is the most urgent.' })
  number!: number;

  @Shown.strings({ description: 'Which severities it stands for; on an asset of tier 1 they are a step more urgent.' })
  severities!: readonly string[];
}

class FindingVocabulary {
  @Shown.list(FindingStatusWord)
  statuses!: readonly FindingStatusWord[];

  @Shown.list(SeverityWord, { description: 'Least first.' })
  severities!: readonly SeverityWord[];

  @Shown.list(PriorityWord)
  priorities!: readonly PriorityWord[];
}

class RetestStatusWord {
  @Shown.string()
  name!: string;

  @Shown.strings({ description: 'What it may become.' })
  transitions!: readonly string[];
}

class RetestVocabulary {
  @Shown.list(RetestStatusWord)
  statuses!: readonly RetestStatusWord[];

  @Shown.strings()
  results!: readonly string[];
}

class BeaconStatusWord {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;

  @Shown.integers({ description: 'What it may become.' })
  transitions!: readonly number[];
}

class BeaconVocabulary {
  @Shown.list(BeaconStatusWord)
  statuses!: readonly BeaconStatusWord[];
}

class EventStatusWord {
  @Shown.string()
  name!: string;

  @Shown.strings({ description: 'What it may become.' })
  transitions!: readonly string[];
}

class EventWord {
  @Shown.integer()
  number!: number;

  @Shown.string()
  name!: string;
}

class EventVocabulary {
  @Shown.list(EventStatusWord)
  statuses!: readonly EventStatusWord[];

  @Shown.list(EventWord)
  types!: readonly EventWord[];

  @Shown.list(EventWord)
  categories!: readonly EventWord[];

  @Shown.strings()
  dimensions!: readonly string[];

  @Shown.strings({ description: 'Of the default duration; a month is 30 days.' })
  duration_units!: readonly string[];
}

class JobVocabulary {
  @Shown.list(EventStatusWord)
  statuses!: readonly EventStatusWord[];
}

class ReportVocabulary {
  @Shown.strings()
  formats!: readonly string[];

  @Shown.strings()
  sections!: readonly string[];
}

export class EnumsResponse {
  @Shown.strings({ description: 'Least first.' })
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
