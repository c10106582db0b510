import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { BeaconsModule } from '../beacons';
import { ChecksModule } from '../checks';
import { EventsModule } from '../events';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { RetestsModule } from '../retests';
import { ImportChunk } from './data/import-chunk.entity';
import { ImportProposal } from './data/import-proposal.entity';
import { ImportProposalsRepository } from './data/import-proposals.repository';
import { ImportResult } from './data/import-result.entity';
import { ImportResultsRepository } from './data/import-results.repository';
import { ImportRow } from './data/import.entity';
import { ImportsRepository } from './data/imports.repository';
import { KeptFilesRepository } from './data/kept-files.repository';
import { UploadsRepository } from './data/uploads.repository';
import { ImportQuestionsRepository } from './data/import-questions.repository';
import { ImportAnswersService } from './import-answers.service';
import { ImportsService } from './imports.service';
import { KeptFilesService } from './kept-files.service';
import { ProposalsService } from './proposals.service';
import { ImportPlaces } from './import-places';
import { UploadsService } from './uploads.service';
import { BatchLocation } from './work/batch-location';
import { BatchRecording } from './work/batch-recording';
import { ImportBatches } from './work/import-batches';
import { ImportProposals } from './work/import-proposals';
import { ImportQuestions } from './work/import-questions';
import { ImportReading } from './work/import-reading';
import { ImportRowRemoval } from './work/import-row-removal';
import { ImportTests } from './work/import-tests';
import { ImportRun } from './work/import-run';
import { ImportUndoing } from './work/import-undoing';
import { ImportContradictions } from './work/import-contradictions';
import { ImportVerifications } from './work/import-verifications';
import { LibraryBinding } from './work/library-binding';
import { MisplacedFindings } from './work/misplaced-findings';
import { ImportRows } from './import-rows';
import { MissingFindings } from './work/missing-findings';
import { ProposalBinding } from './work/proposal-binding';

@Module({
  imports: [
    TypeOrmModule.forFeature([ImportRow, ImportChunk, ImportResult, ImportProposal]),
    OrganizationsModule,
    FindingsModule,
    AssetsModule,
    ChecksModule,
    EventsModule,
    BeaconsModule,
    RetestsModule,
  ],
  providers: [
    ImportsRepository,
    ImportResultsRepository,
    UploadsRepository,
    ImportsService,
    ImportQuestionsRepository,
    ImportAnswersService,
    ImportReading,
    ImportQuestions,
    ImportPlaces,
    UploadsService,
    KeptFilesRepository,
    KeptFilesService,
    ImportRowRemoval,
    BatchLocation,
    BatchRecording,
    ImportBatches,
    MissingFindings,
    ImportRows,
    MisplacedFindings,
    ImportContradictions,
    ImportVerifications,
    ImportProposalsRepository,
    ImportProposals,
    LibraryBinding,
    ProposalBinding,
    ProposalsService,
    ImportUndoing,
    ImportTests,
    ImportRun,
  ],
  exports: [
    ImportsService,
    ImportAnswersService,
    MisplacedFindings,
    UploadsService,
    KeptFilesService,
    ProposalsService,
  ],
})
export class ImportsModule {}
