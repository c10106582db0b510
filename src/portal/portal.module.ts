import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AcceptedChecksService, AssetDetailsService, AssetsService, DomainsService } from '../modules/assets';
import { BeaconsService } from '../modules/beacons';
import { EventFindingsService, EventScopeService, EventsService } from '../modules/events';
import { SigningKeysService } from '../modules/evidence';
import { FindingDetailsService, FindingsService } from '../modules/findings';
import { IdentityService, SessionsService } from '../modules/identity';
import { JobsService, JobSummaryService } from '../modules/jobs';
import { OrganizationsService } from '../modules/organizations';
import { JobReportsService, ReportsService } from '../modules/reports';
import { RetestsService, RetestSummaryService } from '../modules/retests';
import { UnitOfWork } from '../platform/audit/unit-of-work';
import { ConfigModule } from '../platform/config/config.module';
import type { Config } from '../platform/config/load-config';
import { AssetReader } from './assets/asset-reader';
import { AssetsController } from './assets/assets.controller';
import { BeaconsController } from './beacons/beacons.controller';
import { DomainsController } from './domains/domains.controller';
import { EventReader } from './events/event-reader';
import { EventsController } from './events/events.controller';
import { FindingReader } from './findings/finding-reader';
import { FindingController } from './findings/finding.controller';
import { FindingsController } from './findings/findings.controller';
import { FormPipe } from './http/form.pipe';
import { PortalErrorFilter } from './http/portal-error.filter';
import { PortalInterceptor } from './http/portal.interceptor';
import { SessionGuard } from './http/session.guard';
import { LiveStreams } from './live/live-streams';
import { ReportReader } from './reports/report-reader';
import { ReportsController } from './reports/reports.controller';
import { ScanReader } from './scans/scan-reader';
import { ScansController } from './scans/scans.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { StartController } from './start/start.controller';

const controllers = [
  StartController,
  SignInController,
  SessionsController,
  FindingsController,
  FindingController,
  ScansController,
  AssetsController,
  DomainsController,
  EventsController,
  BeaconsController,
  ReportsController,
];

/** The services of the API's process that the pages use. There is one instance of each, with one database pool. */
const SERVICES = [
  SessionsService,
  IdentityService,
  OrganizationsService,
  FindingsService,
  FindingDetailsService,
  RetestsService,
  RetestSummaryService,
  SigningKeysService,
  AcceptedChecksService,
  AssetDetailsService,
  AssetsService,
  BeaconsService,
  DomainsService,
  EventFindingsService,
  EventScopeService,
  EventsService,
  JobReportsService,
  JobsService,
  JobSummaryService,
  ReportsService,
  UnitOfWork,
] as const;

@Module({})
export class PortalModule {
  static with(config: Config, services: INestApplicationContext): DynamicModule {
    return {
      module: PortalModule,
      imports: [ConfigModule.with(config)],
      controllers,
      providers: [
        ...SERVICES.map((service) => ({
          provide: service,
          useFactory: () => services.get<unknown>(service, { strict: false }),
        })),
        FindingReader,
        ScanReader,
        AssetReader,
        EventReader,
        ReportReader,
        LiveStreams,
        { provide: APP_GUARD, useClass: SessionGuard },
        { provide: APP_INTERCEPTOR, useClass: PortalInterceptor },
        { provide: APP_PIPE, useClass: FormPipe },
        { provide: APP_FILTER, useClass: PortalErrorFilter },
      ],
    };
  }
}
