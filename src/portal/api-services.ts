import { AcceptedChecksService, AssetDetailsService, AssetsService, DomainsService } from '../modules/assets';
import { AuditService } from '../modules/audit';
import { BeaconsService } from '../modules/beacons';
import { CheckLibrary } from '../modules/checks';
import { DiscoveredAssetsService, DiscoveriesService } from '../modules/discovery';
import { EventFindingsService, EventPicturesService, EventScopeService, EventsService } from '../modules/events';
import { SigningKeysService } from '../modules/evidence';
import { FeedService, FeedWatch } from '../modules/feed';
import {
  AcceptanceRules,
  FindingChangesService,
  FindingCommentsService,
  FindingMergesService,
  FindingDetailsService,
  FindingOverviewService,
  FindingSlaService,
  FindingLists,
  FindingsService,
  FindingTemplatesService,
  FindingTextsService,
  MarkdownRenderer,
  SavedViewsService,
  SightingsService,
} from '../modules/findings';
import {
  AccountService,
  ApiKeysService,
  IdentityService,
  InvitationsService,
  KnownBrowsers,
  MemberKeysService,
  MembersService,
  PasskeyChallenges,
  PasskeysService,
  PasswordResetsService,
  SecondFactorService,
  SessionsService,
  SetupService,
  SignInRulesService,
  SignInsService,
} from '../modules/identity';
import { ImportsService, KeptFilesService, ProposalsService, UploadsService } from '../modules/imports';
import { ActiveTestsService, JobsService, JobComparisonsService, JobSummaryService } from '../modules/jobs';
import { EventOverview, EventProgressService } from '../modules/machine-events';
import { LogosService, OrganizationsService } from '../modules/organizations';
import { ObservationSettings, ObservationsService, ObservedHosts } from '../modules/observations';
import { JobReportsService, ReportDraftsService, ReportsService } from '../modules/reports';
import {
  LinkedProviders,
  ProviderLogoutService,
  Providers,
  ProviderSettingsService,
  ProviderSignInService,
  ScimTokens,
} from '../modules/providers';
import { ScheduleOverview, SchedulesService } from '../modules/schedules';
import { WebhookDeliveriesService, WebhooksService } from '../modules/webhooks';
import {
  BaselinesService,
  BeaconNames,
  FindingBulkService,
  RetestsService,
  RetestSummaryService,
  RefusalSetting,
  SecondLooks,
} from '../modules/retests';
import { UnitOfWork } from '../platform/audit/unit-of-work';
import { DatabaseContext } from '../platform/database/database-context';
import { Replicas } from '../platform/database/replicas';
import { notificationServices } from './notifications/notification-parts';

/** The services of the API's process that the pages use. There is one instance of each, with one database pool. */
export const API_SERVICES = [
  KnownBrowsers,
  PasskeyChallenges,
  PasskeysService,
  SignInRulesService,
  SignInsService,
  SessionsService,
  IdentityService,
  AccountService,
  ApiKeysService,
  InvitationsService,
  MemberKeysService,
  MembersService,
  PasswordResetsService,
  SecondFactorService,
  SetupService,
  Providers,
  LinkedProviders,
  ProviderSettingsService,
  ProviderSignInService,
  ProviderLogoutService,
  ScimTokens,
  OrganizationsService,
  LogosService,
  ...notificationServices,
  FindingsService,
  FindingLists,
  FindingDetailsService,
  FindingOverviewService,
  AuditService,
  AcceptanceRules,
  FindingChangesService,
  FindingTemplatesService,
  FindingTextsService,
  MarkdownRenderer,
  FindingCommentsService,
  FindingMergesService,
  FindingSlaService,
  SavedViewsService,
  SightingsService,
  RetestsService,
  FindingBulkService,
  BaselinesService,
  RetestSummaryService,
  RefusalSetting,
  SecondLooks,
  ObservationSettings,
  ObservationsService,
  ObservedHosts,
  BeaconNames,
  CheckLibrary,
  SigningKeysService,
  AcceptedChecksService,
  AssetDetailsService,
  AssetsService,
  BeaconsService,
  DiscoveredAssetsService,
  DiscoveriesService,
  DomainsService,
  EventFindingsService,
  EventPicturesService,
  EventScopeService,
  EventsService,
  EventProgressService,
  ImportsService,
  KeptFilesService,
  ProposalsService,
  UploadsService,
  JobReportsService,
  ActiveTestsService,
  JobsService,
  JobSummaryService,
  JobComparisonsService,
  ReportDraftsService,
  ReportsService,
  SchedulesService,
  EventOverview,
  ScheduleOverview,
  WebhooksService,
  WebhookDeliveriesService,
  FeedService,
  FeedWatch,
  UnitOfWork,
  DatabaseContext,
  Replicas,
] as const;
