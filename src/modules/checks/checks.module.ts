import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChecksService } from './checks.service';
import { CheckLibrary } from './check-library';
import { LibraryCheckVersion } from './data/library-check-version.entity';
import { LibraryCheckRow } from './data/library-check.entity';
import { LibraryRepository } from './data/library.repository';
import { LibraryLoader } from './library-loader';

@Module({
  imports: [TypeOrmModule.forFeature([LibraryCheckRow, LibraryCheckVersion])],
  providers: [LibraryRepository, CheckLibrary, ChecksService, LibraryLoader],
  exports: [CheckLibrary, ChecksService, LibraryLoader],
})
export class ChecksModule {}
