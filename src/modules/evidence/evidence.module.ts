import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SigningKeyRow } from './data/signing-key.entity';
import { SigningKeysRepository } from './data/signing-keys.repository';
import { SigningKeysService } from './signing-keys.service';

@Module({
  imports: [TypeOrmModule.forFeature([SigningKeyRow])],
  providers: [SigningKeysRepository, SigningKeysService],
  exports: [SigningKeysService],
})
export class EvidenceModule {}
