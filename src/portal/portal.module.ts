import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { SigningKeysService } from '../modules/evidence';
import { FindingDetailsService, FindingsService } from '../modules/findings';
import {
  AccountService,
  ApiKeysService,
  IdentityService,
  InvitationsService,
  MembersService,
  PasswordResetsService,
  SecondFactorService,
  SessionsService,
  SetupService,
} from '../modules/identity';
import { LogosService, OrganizationsService } from '../modules/organizations';
import { RetestsService, RetestSummaryService } from '../modules/retests';
import { UnitOfWork } from '../platform/audit/unit-of-work';
import { ConfigModule } from '../platform/config/config.module';
import type { Config } from '../platform/config/load-config';
import { ApiKeysPageController } from './api-keys/api-keys.controller';
import { FindingReader } from './findings/finding-reader';
import { FindingController } from './findings/finding.controller';
import { FindingsController } from './findings/findings.controller';
import { BrowserSession } from './http/browser-session';
import { FormPipe } from './http/form.pipe';
import { PortalErrorFilter } from './http/portal-error.filter';
import { PortalInterceptor } from './http/portal.interceptor';
import { SessionGuard } from './http/session.guard';
import { InvitationPageController } from './invitations/invitations.controller';
import { MembersPageController } from './members/members.controller';
import { OrganizationPageController } from './organization/organization.controller';
import { PasswordResetController } from './password-resets/password-resets.controller';
import { SecurityController } from './security/security.controller';
import { SessionsController } from './sessions/sessions.controller';
import { SetupController } from './setup/setup.controller';
import { SignInController } from './sign-in/sign-in.controller';
import { StartController } from './start/start.controller';

const controllers = [
  StartController,
  SignInController,
  SetupController,
  InvitationPageController,
  PasswordResetController,
  SessionsController,
  SecurityController,
  ApiKeysPageController,
  MembersPageController,
  OrganizationPageController,
  FindingsController,
  FindingController,
];

/** The services of the API's process that the pages use. There is one instance of each, with one database pool. */
const SERVICES = [
  SessionsService,
  IdentityService,
  AccountService,
  ApiKeysService,
  InvitationsService,
  MembersService,
  PasswordResetsService,
  SecondFactorService,
  SetupService,
  OrganizationsService,
  LogosService,
  FindingsService,
  FindingDetailsService,
  RetestsService,
  RetestSummaryService,
  SigningKeysService,
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
        BrowserSession,
        { provide: APP_GUARD, useClass: SessionGuard },
        { provide: APP_INTERCEPTOR, useClass: PortalInterceptor },
        { provide: APP_PIPE, useClass: FormPipe },
        { provide: APP_FILTER, useClass: PortalErrorFilter },
      ],
    };
  }
}
