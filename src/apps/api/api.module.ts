import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, ModulesContainer } from '@nestjs/core';
import { AccountsController } from '../../modules/accounts';
import { ApprovalsController } from '../../modules/approvals';
import {
  AcceptedChecksController,
  AssetsController,
  DomainsController,
  AcceptedChecksOnManyController,
} from '../../modules/assets';
import { AuditController, AuditHeadsController } from '../../modules/audit';
import { BeaconsController } from '../../modules/beacons';
import { DiscoveriesController } from '../../modules/discovery';
import {
  EventFindingsController,
  EventPicturesController,
  EventScopeController,
  EventsController,
} from '../../modules/events';
import { FeedController, SchemasController } from '../../modules/feed';
import { ChannelsController, InboxController, MailSettingsController } from '../../modules/notifications';
import { ObservationsController } from '../../modules/observations';
import {
  FindingChangesController,
  FindingMergesController,
  FindingsController,
  FindingAttachmentsController,
  FindingSightingsController,
  FindingSlaController,
  AcceptanceRulesController,
} from '../../modules/findings';
import {
  ApiKeysController,
  InvitationsController,
  MemberGroupsController,
  MembersController,
  SignInRulesController,
} from '../../modules/identity';
import { ChecksController } from '../../modules/checks';
import { EvidenceKeysController } from '../../modules/evidence';
import { ImportsController, ProposalsController } from '../../modules/imports';
import { ActiveTestsController, JobReferencesController, JobsController } from '../../modules/jobs';
import { EventProgressController } from '../../modules/machine-events';
import {
  AccountSignInsController,
  BaselinesController,
  FindingBulkController,
  FindingSelectionsController,
  RetestsController,
  RefusalSettingController,
  SecondLooksController,
} from '../../modules/retests';
import { LogosController, OrganizationsController } from '../../modules/organizations';
import { ScimController } from '../../modules/providers';
import { ReportsController } from '../../modules/reports';
import { TicketsController, TrackersController } from '../../modules/trackers';
import { WebhooksController } from '../../modules/webhooks';
import { SchedulesController } from '../../modules/schedules';
import { AgentWritesController, SettingsController } from '../../modules/settings';
import { BasicAuthGuard } from '../../platform/auth/basic-auth.guard';
import { ApiBasicStrategy } from '../../platform/auth/basic.strategy';
import { RoleGuard } from '../../platform/auth/role.guard';
import type { Config } from '../../platform/config/load-config';
import { ConditionalChanges } from '../../platform/http/conditional-changes';
import { ErrorFilter } from '../../platform/http/error.filter';
import { MethodGuard } from '../../platform/http/method.guard';
import { QueryGuard } from '../../platform/http/query.guard';
import { ReplicaGuard } from '../../platform/http/replica.guard';
import { RequestPipe } from '../../platform/http/request-pipe';
import { AllowedMethods, operationsOf } from '../../platform/http/routes';
import { LimitsModule } from '../../platform/limits/limits.module';
import { RequestLimitGuard } from '../../platform/limits/request-limit.guard';
import { PlatformModule } from '../../platform/platform.module';
import { FeaturesModule } from '../features.module';
import { HealthController } from './http/health.controller';
import { RootController } from './http/root.controller';
import { ServiceInfoController } from './http/service-info.controller';
import { UnknownRouteController } from './http/unknown-route.controller';
import { MeService } from './me.service';
import { Readiness } from './readiness';

/**
 * Declared here and not in the modules, because the worker uses the same modules without controllers. Routes match in this
 * order: the most frequent ones are first, and UnknownRouteController must be last.
 */
const controllers = [
  FindingsController,
  EventFindingsController,
  AssetsController,
  JobsController,
  ActiveTestsController,
  RootController,
  HealthController,
  ServiceInfoController,
  SchemasController,
  OrganizationsController,
  LogosController,
  MembersController,
  SignInRulesController,
  InvitationsController,
  MemberGroupsController,
  ApiKeysController,
  AuditController,
  AuditHeadsController,
  SettingsController,
  AgentWritesController,
  ApprovalsController,
  InboxController,
  MailSettingsController,
  BeaconsController,
  FindingChangesController,
  FindingMergesController,
  FindingSlaController,
  AcceptanceRulesController,
  FindingAttachmentsController,
  FindingSightingsController,
  AcceptedChecksController,
  AcceptedChecksOnManyController,
  JobReferencesController,
  AccountsController,
  AccountSignInsController,
  DomainsController,
  DiscoveriesController,
  ObservationsController,
  SchedulesController,
  EventsController,
  EventPicturesController,
  EventScopeController,
  BaselinesController,
  RetestsController,
  RefusalSettingController,
  SecondLooksController,
  FindingBulkController,
  FindingSelectionsController,
  EvidenceKeysController,
  ChecksController,
  ReportsController,
  EventProgressController,
  ImportsController,
  ProposalsController,
  FeedController,
  WebhooksController,
  ChannelsController,
  TrackersController,
  TicketsController,
  ScimController,
  UnknownRouteController,
];

@Module({})
export class ApiModule {
  static with(config: Config): DynamicModule {
    return {
      module: ApiModule,
      imports: [PlatformModule.with(config), FeaturesModule, LimitsModule],
      controllers,
      providers: [
        ApiBasicStrategy,
        ConditionalChanges,
        MeService,
        Readiness,
        RequestLimitGuard,
        {
          provide: AllowedMethods,
          inject: [ModulesContainer],
          useFactory: (modules: ModulesContainer) => new AllowedMethods(operationsOf(modules)),
        },
        // Guards run in this order. The interceptor is not global: @Operation adds it to every route except plain reads.
        { provide: APP_GUARD, useClass: BasicAuthGuard },
        { provide: APP_GUARD, useExisting: RequestLimitGuard },
        { provide: APP_GUARD, useClass: MethodGuard },
        { provide: APP_GUARD, useClass: RoleGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
        ...(config.DATABASE_REPLICA_URLS.length > 0 ? [{ provide: APP_GUARD, useClass: ReplicaGuard }] : []),
        { provide: APP_PIPE, useClass: RequestPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
