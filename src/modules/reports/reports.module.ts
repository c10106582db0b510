import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { EventsModule } from '../events';
import { EvidenceModule } from '../evidence';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { JobsModule } from '../jobs';
import { ObservationsModule } from '../observations';
import { OrganizationsModule } from '../organizations';
import { RetestsModule } from '../retests';
import { DatabaseReportFiles } from './data/database-report-files';
import { ReportFile } from './data/report-file.entity';
import { ReportFileChunk } from './data/report-file-chunk.entity';
import { ReportRow } from './data/report.entity';
import { ReportsRepository } from './data/reports.repository';
import { JobReportRendering } from './job-report-rendering';
import { JobReportsService } from './job-reports.service';
import { ReportAdditions } from './report-additions';
import { ReportDraftsService } from './report-drafts.service';
import { ReportFiles } from './report-files';
import { ReportSubjects } from './report-subjects';
import { ReportsService } from './reports.service';
import { SnapshotReader } from './snapshot-reader';
import { SubjectReader } from './subject-reader';
import { RenderingProcess } from './work/rendering-process';
import { ReportGeneration } from './work/report-generation';

@Module({
  imports: [
    TypeOrmModule.forFeature([ReportRow, ReportFile, ReportFileChunk]),
    OrganizationsModule,
    IdentityModule,
    AssetsModule,
    EventsModule,
    EvidenceModule,
    FindingsModule,
    JobsModule,
    ObservationsModule,
    RetestsModule,
  ],
  providers: [
    ReportsRepository,
    { provide: ReportFiles, useClass: DatabaseReportFiles },
    ReportSubjects,
    ReportsService,
    ReportDraftsService,
    JobReportRendering,
    JobReportsService,
    SubjectReader,
    ReportAdditions,
    SnapshotReader,
    RenderingProcess,
    ReportGeneration,
  ],
  exports: [ReportsService, ReportDraftsService, JobReportsService],
})
export class ReportsModule {}
