import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ReplicaGuard } from '../platform/http/replica.guard';
import { ConfigModule } from '../platform/config/config.module';
import type { Config } from '../platform/config/load-config';
import { AccessController } from './access/access.controller';
import { ApprovalsPageController } from './approvals/approvals.controller';
import { ApiKeysPageController } from './api-keys/api-keys.controller';
import { BulkController } from './findings/bulk.controller';
import { AttachmentsController } from './findings/attachments.controller';
import { BaselineController } from './findings/baseline.controller';
import { FindingFieldsController } from './findings/finding-fields.controller';
import { AccountsController } from './assets/accounts.controller';
import { ReferencesController } from './assets/references.controller';
import { AssetsController } from './assets/assets.controller';
import { ActivityController } from './activity/activity.controller';
import { BeaconsController } from './beacons/beacons.controller';
import { DiscoveriesController } from './discoveries/discoveries.controller';
import { DomainsController } from './domains/domains.controller';
import { EventProgressPageController } from './events/event-progress.controller';
import { EventsController } from './events/events.controller';
import { EditFindingController } from './finding-edits/edit-finding.controller';
import { FindingPreviews } from './finding-edits/finding-previews';
import { NewFindingController } from './finding-edits/new-finding.controller';
import { TemplatesController } from './finding-templates/templates.controller';
import { FindingController } from './findings/finding.controller';
import { FindingsController } from './findings/findings.controller';
import { AuditPageController } from './audit/audit.controller';
import { OverviewController } from './overview/overview.controller';
import { HomeController } from './home/home.controller';
import { BrowserSession } from './http/browser-session';
import { People } from './findings/people';
import { SavedViewsController } from './findings/saved-views.controller';
import { SelectionController } from './findings/selection.controller';
import { FormPipe } from './http/form.pipe';
import { PlaceInterceptor } from './http/in-organization';
import { Notices } from './http/notices';
import { PasskeyRequests } from './http/passkey-requests';
import { Places } from './http/places';
import { PortalErrorFilter } from './http/portal-error.filter';
import { PortalInterceptor } from './http/portal.interceptor';
import { SessionGuard } from './http/session.guard';
import { ImportsPageController } from './imports/imports.controller';
import { InvitationPageController } from './invitations/invitations.controller';
import { MemberGroupsPageController } from './members/member-groups.controller';
import { MembersPageController } from './members/members.controller';
import { notificationControllers } from './notifications/notification-parts';
import { OrganizationPageController } from './organization/organization.controller';
import { PasswordResetController } from './password-resets/password-resets.controller';
import { Confirmations } from './security/confirmations';
import { PasskeysController } from './security/passkeys.controller';
import { PasskeySignInController } from './sign-in/passkey-sign-in.controller';
import { SecurityController } from './security/security.controller';
import { SecurityPages } from './security/security-pages';
import { ObservationsPageController } from './observations/observations.controller';
import { LiveStreams } from './live/live-streams';
import { API_SERVICES } from './api-services';
import { READERS } from './readers';
import { PaletteController } from './palette/palette.controller';
import { LinkedProvidersController } from './providers/linked-providers.controller';
import { ProviderSignInController } from './providers/provider-sign-in.controller';
import { SingleSignOnController } from './providers/single-sign-on.controller';
import { ReportsController } from './reports/reports.controller';
import { ActiveScansController } from './scans/active-scans.controller';
import { ScansController } from './scans/scans.controller';
import { TicketFormsController } from './findings/ticket.controller';
import { TrackersPageController } from './trackers/trackers.controller';
import { WebhooksPageController } from './webhooks/webhooks.controller';
import { SchedulesPageController } from './schedules/schedules.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SetupController } from './setup/setup.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { SlaController } from './sla/sla.controller';
import { StartController } from './start/start.controller';
import { UnknownController } from './unknown/unknown.controller';

const controllers = [
  ActivityController,
  StartController,
  HomeController,
  OverviewController,
  AuditPageController,
  SignInController,
  PasskeySignInController,
  ProviderSignInController,
  LinkedProvidersController,
  SingleSignOnController,
  SetupController,
  InvitationPageController,
  PasswordResetController,
  SessionsController,
  SecurityController,
  PasskeysController,
  ApiKeysPageController,
  MemberGroupsPageController,
  MembersPageController,
  AccessController,
  OrganizationPageController,
  ApprovalsPageController,
  FindingsController,
  BulkController,
  SelectionController,
  SavedViewsController,
  NewFindingController,
  EditFindingController,
  FindingController,
  BaselineController,
  AttachmentsController,
  FindingFieldsController,
  SlaController,
  TemplatesController,
  ...notificationControllers,
  ScansController,
  ActiveScansController,
  AssetsController,
  AccountsController,
  ReferencesController,
  ObservationsPageController,
  DomainsController,
  ImportsPageController,
  EventsController,
  EventProgressPageController,
  BeaconsController,
  DiscoveriesController,
  ReportsController,
  SchedulesPageController,
  WebhooksPageController,
  TrackersPageController,
  TicketFormsController,
  PaletteController,
  UnknownController,
];

@Module({})
export class PortalModule {
  static with(config: Config, services: INestApplicationContext): DynamicModule {
    return {
      module: PortalModule,
      imports: [ConfigModule.with(config)],
      controllers,
      providers: [
        ...API_SERVICES.map((service) => ({
          provide: service,
          useFactory: () => services.get<unknown>(service, { strict: false }),
        })),
        Notices,
        ...READERS,
        BrowserSession,
        Confirmations,
        SecurityPages,
        PasskeyRequests,
        FindingPreviews,
        People,
        LiveStreams,
        Places,
        { provide: APP_GUARD, useClass: SessionGuard },
        ...(config.DATABASE_REPLICA_URLS.length > 0 ? [{ provide: APP_GUARD, useClass: ReplicaGuard }] : []),
        { provide: APP_INTERCEPTOR, useClass: PortalInterceptor },
        { provide: APP_INTERCEPTOR, useClass: PlaceInterceptor },
        { provide: APP_PIPE, useClass: FormPipe },
        { provide: APP_FILTER, useClass: PortalErrorFilter },
      ],
    };
  }
}
