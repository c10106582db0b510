import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Authenticator } from '../../platform/auth/authenticator';
import { ApiKey } from './data/api-key.entity';
import { Session } from './data/session.entity';
import { SessionsRepository } from './data/sessions.repository';
import { KeysRepository } from './data/keys.repository';
import { Membership } from './data/membership.entity';
import { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { IdentityService } from './identity.service';
import { KeyAuthenticator } from './key-authenticator';
import { SessionsService } from './sessions.service';

@Module({
  imports: [TypeOrmModule.forFeature([User, Membership, ApiKey, Session])],
  providers: [
    UsersRepository,
    KeysRepository,
    SessionsRepository,
    KeyAuthenticator,
    { provide: Authenticator, useExisting: KeyAuthenticator },
    IdentityService,
    SessionsService,
  ],
  exports: [Authenticator, IdentityService, SessionsService],
})
export class IdentityModule {}
