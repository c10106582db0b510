import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Authenticator } from '../../platform/auth/authenticator';
import { ApiKey } from './data/api-key.entity';
import { KeysRepository } from './data/keys.repository';
import { Membership } from './data/membership.entity';
import { User } from './data/user.entity';
import { UsersRepository } from './data/users.repository';
import { IdentityService } from './identity.service';
import { KeyAuthenticator } from './key-authenticator';

@Module({
  imports: [TypeOrmModule.forFeature([User, Membership, ApiKey])],
  providers: [
    UsersRepository,
    KeysRepository,
    KeyAuthenticator,
    { provide: Authenticator, useExisting: KeyAuthenticator },
    IdentityService,
  ],
  exports: [Authenticator, IdentityService],
})
export class IdentityModule {}
