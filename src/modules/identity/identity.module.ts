import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Authenticator } from '../../platform/auth/authenticator';
import { OrganizationsModule } from '../organizations';
import { ApiKeysService } from './api-keys.service';
import { ApiKey } from './data/api-key.entity';
import { Invitation } from './data/invitation.entity';
import { InvitationsRepository } from './data/invitations.repository';
import { MembersRepository } from './data/members.repository';
import { PasswordReset } from './data/password-reset.entity';
import { PasswordResetsRepository } from './data/password-resets.repository';
import { Session } from './data/session.entity';
import { SessionsRepository } from './data/sessions.repository';
import { KeysRepository } from './data/keys.repository';
import { Membership } from './data/membership.entity';
import { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { IdentityService } from './identity.service';
import { InvitationsService } from './invitations.service';
import { KeyAuthenticator } from './key-authenticator';
import { MembersService } from './members.service';
import { PasswordResetsService } from './password-resets.service';
import { SessionsService } from './sessions.service';
import { ExpiredCredentials } from './work/expired-credentials';

@Module({
  imports: [
    OrganizationsModule,
    TypeOrmModule.forFeature([User, Membership, ApiKey, Session, Invitation, PasswordReset]),
  ],
  providers: [
    UsersRepository,
    MembersRepository,
    InvitationsRepository,
    PasswordResetsRepository,
    KeysRepository,
    SessionsRepository,
    KeyAuthenticator,
    { provide: Authenticator, useExisting: KeyAuthenticator },
    IdentityService,
    SessionsService,
    MembersService,
    InvitationsService,
    PasswordResetsService,
    ApiKeysService,
    ExpiredCredentials,
  ],
  exports: [
    Authenticator,
    IdentityService,
    SessionsService,
    MembersService,
    InvitationsService,
    PasswordResetsService,
    ApiKeysService,
  ],
})
export class IdentityModule {}
