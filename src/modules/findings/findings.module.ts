import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity';
import { ChecksModule } from '../checks';
import { OrganizationsModule } from '../organizations';
import { VulnerabilitiesModule } from '../vulnerabilities';
import { AssetTotalsRow } from './data/asset-totals.entity';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import { EventFinding } from './data/event-finding.entity';
import { EventFindingsRepository } from './data/event-findings.repository';
import { FindingAttentionRepository } from './data/finding-attention.repository';
import { FindingCopiesRepository } from './data/finding-copies.repository';
import { FindingDetailsRepository } from './data/finding-details.repository';
import { StoredOverview } from './data/finding-overview.entity';
import { FindingOverviewRepository } from './data/finding-overview.repository';
import { FindingRow } from './data/finding.entity';
import { FindingSighting } from './data/finding-sighting.entity';
import { FindingSightingsRepository } from './data/finding-sightings.repository';
import { FindingSla } from './data/finding-sla.entity';
import { FindingSlaRepository } from './data/finding-sla.repository';
import { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';
import { FindingAttentionService } from './finding-attention.service';
import { FindingMergesService } from './finding-merges.service';
import { FindingChangesService } from './finding-changes.service';
import { MergedFindingsRepository } from './data/merged-findings.repository';
import { ProposedChecksRepository } from './data/proposed-checks.repository';
import { SavedView } from './data/saved-view.entity';
import { SavedViewsRepository } from './data/saved-views.repository';
import { ScannedFindingsRepository } from './data/scanned-findings.repository';
import { FindingDetailsService } from './finding-details.service';
import { FindingOverviewService } from './finding-overview.service';
import { FindingSlaService } from './finding-sla.service';
import { FindingVulnerabilities } from './finding-vulnerabilities';
import { FindingStatusWriter } from './finding-status-writer';
import { CheckReplacement } from './check-replacement';
import { FindingRecorder } from './finding-recorder';
import { FindingWriter } from './finding-writer';
import { FindingsService } from './findings.service';
import { LibraryChecksService } from './library-checks.service';
import { MarkdownRenderer } from './rendering/markdown-renderer';
import { ProposedChecksService } from './proposed-checks.service';
import { SavedViewsService } from './saved-views.service';
import { ScannedFindingsService } from './scanned-findings.service';
import { RepeatedResultsService } from './repeated-results.service';
import { SightingsService } from './sightings.service';
import { ScannedVerificationsService } from './scanned-verifications.service';
import { UndoneScansService } from './undone-scans.service';
import { AcceptanceExpiry } from './work/acceptance-expiry';
import { OverviewRefresh } from './work/overview-refresh';
import { DueDates } from './work/due-dates';
import { VulnerabilityCopies } from './work/vulnerability-copies';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      FindingRow,
      FindingHistory,
      EventFinding,
      AssetTotalsRow,
      StoredOverview,
      FindingSla,
      SavedView,
      FindingSighting,
    ]),
    OrganizationsModule,
    IdentityModule,
    VulnerabilitiesModule,
    ChecksModule,
  ],
  providers: [
    FindingsRepository,
    FindingHistoryRepository,
    EventFindingsRepository,
    AssetTotalsRepository,
    FindingStatusWriter,
    CheckReplacement,
    FindingWriter,
    FindingRecorder,
    FindingSightingsRepository,
    ScannedFindingsRepository,
    ScannedFindingsService,
    RepeatedResultsService,
    SightingsService,
    UndoneScansService,
    ScannedVerificationsService,
    ProposedChecksRepository,
    ProposedChecksService,
    FindingSlaRepository,
    FindingSlaService,
    SavedViewsRepository,
    SavedViewsService,
    FindingChangesService,
    MergedFindingsRepository,
    FindingMergesService,
    FindingsService,
    LibraryChecksService,
    FindingAttentionRepository,
    FindingOverviewRepository,
    FindingOverviewService,
    OverviewRefresh,
    FindingAttentionService,
    FindingDetailsRepository,
    FindingDetailsService,
    { provide: MarkdownRenderer, useFactory: () => new MarkdownRenderer() },
    AcceptanceExpiry,
    DueDates,
    FindingVulnerabilities,
    FindingCopiesRepository,
    VulnerabilityCopies,
  ],
  exports: [
    ScannedFindingsService,
    RepeatedResultsService,
    SightingsService,
    UndoneScansService,
    ScannedVerificationsService,
    ProposedChecksService,
    SavedViewsService,
    FindingsService,
    LibraryChecksService,
    FindingAttentionService,
    FindingOverviewService,
    FindingChangesService,
    FindingMergesService,
    FindingSlaService,
    FindingDetailsService,
    MarkdownRenderer,
  ],
})
export class FindingsModule {}
