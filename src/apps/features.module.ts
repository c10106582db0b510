import { Module } from '@nestjs/common';
import { AccountsModule } from '../modules/accounts';
import { ApprovalsModule } from '../modules/approvals';
import { AssetsModule } from '../modules/assets';
import { AuditModule } from '../modules/audit';
import { BeaconsModule } from '../modules/beacons';
import { CallbacksModule } from '../modules/callbacks';
import { ChecksModule } from '../modules/checks';
import { DiscoveryModule } from '../modules/discovery';
import { EventsModule } from '../modules/events';
import { EvidenceModule } from '../modules/evidence';
import { FeedModule } from '../modules/feed';
import { FindingsModule } from '../modules/findings';
import { IdentityModule } from '../modules/identity';
import { ImportsModule } from '../modules/imports';
import { JobsModule } from '../modules/jobs';
import { MachineEventsModule } from '../modules/machine-events';
import { NotificationsModule } from '../modules/notifications';
import { ObservationsModule } from '../modules/observations';
import { ProvidersModule } from '../modules/providers';
import { TrackersModule } from '../modules/trackers';
import { RetestsModule } from '../modules/retests';
import { SchedulesModule } from '../modules/schedules';
import { OrganizationsModule } from '../modules/organizations';
import { ReportsModule } from '../modules/reports';
import { SettingsModule } from '../modules/settings';
import { WebhooksModule } from '../modules/webhooks';
import { VulnerabilitiesModule } from '../modules/vulnerabilities';

/** All modules of src/modules, shared by the API, the worker and the command line. */
const modules = [
  AuditModule,
  OrganizationsModule,
  IdentityModule,
  ApprovalsModule,
  SettingsModule,
  BeaconsModule,
  CallbacksModule,
  VulnerabilitiesModule,
  ChecksModule,
  FindingsModule,
  AssetsModule,
  AccountsModule,
  DiscoveryModule,
  EventsModule,
  EvidenceModule,
  RetestsModule,
  ObservationsModule,
  ImportsModule,
  JobsModule,
  ReportsModule,
  MachineEventsModule,
  SchedulesModule,
  FeedModule,
  WebhooksModule,
  NotificationsModule,
  TrackersModule,
  ProvidersModule,
];

@Module({ imports: modules, exports: modules })
export class FeaturesModule {}
