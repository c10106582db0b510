import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals';
import { IdentityModule } from '../identity';
import { ChecksModule } from '../checks';
import { OrganizationsModule } from '../organizations';
import { VulnerabilitiesModule } from '../vulnerabilities';
import { AssetTotalsRow } from './data/asset-totals.entity';
import { AssetTotalsRepository } from './changes/data/asset-totals.repository';
import { EventFinding } from './data/event-finding.entity';
import { EventFindingsRepository } from './changes/data/event-findings.repository';
import { RetestSelectionRepository } from './details/data/retest-selection.repository';
import { FindingCopiesRepository } from './details/data/finding-copies.repository';
import { FindingDetailsRepository } from './details/data/finding-details.repository';
import { StoredEventDays } from './data/event-days.entity';
import { StoredOverview } from './data/finding-overview.entity';
import { EventDaysRepository } from './details/data/event-days.repository';
import { FindingOverviewRepository } from './details/data/finding-overview.repository';
import { FindingRow } from './data/finding.entity';
import { FindingSighting } from './data/finding-sighting.entity';
import { FindingSightingsRepository } from './scans/data/finding-sightings.repository';
import { FindingTexts } from './data/finding-texts.entity';
import { FindingTextsRepository } from './changes/data/finding-texts.repository';
import { FindingAttachmentChunk, FindingAttachmentRow } from './data/finding-attachment.entity';
import { FindingAttachmentsRepository } from './changes/data/finding-attachments.repository';
import { FindingAttachmentsService } from './changes/finding-attachments.service';
import { AcceptanceRules } from './changes/acceptance-rules.service';
import { FindingTextsService } from './changes/finding-texts.service';
import { FindingTemplate } from './data/finding-template.entity';
import { FindingTemplatesRepository } from './changes/data/finding-templates.repository';
import { FindingTemplatesService } from './changes/finding-templates.service';
import { FindingEditor } from './changes/finding-editor';
import { FindingSla } from './data/finding-sla.entity';
import { FindingSlaRepository } from './changes/data/finding-sla.repository';
import { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './changes/data/finding-history.repository';
import { FindingsRepository } from './changes/data/findings.repository';
import { FindingActorsRepository } from './details/data/finding-actors.repository';
import { NotifiedFindingsRepository } from './details/data/notified-findings.repository';
import { RetestSelection } from './details/retest-selection.service';
import { ImportTestsRepository } from './scans/data/import-tests.repository';
import { FindingSeparation } from './scans/finding-separation';
import { AlikeFindings } from './scans/work/alike-findings';
import { FindingMergesService } from './scans/finding-merges.service';
import { FindingMovesService } from './scans/finding-moves.service';
import { FindingCommentsService } from './changes/finding-comments.service';
import { FindingChangesService } from './changes/finding-changes.service';
import { AssignedFindingsRepository } from './changes/data/assigned-findings.repository';
import { FindingAssignees } from './changes/finding-assignees';
import { MergedFindingsRepository } from './scans/data/merged-findings.repository';
import { ProposedChecksRepository } from './scans/data/proposed-checks.repository';
import { FindingPreferences } from './data/finding-preferences.entity';
import { SavedView } from './data/saved-view.entity';
import { FindingListsRepository } from './lists/data/finding-lists.repository';
import { FindingGroupsRepository } from './lists/data/finding-groups.repository';
import { FindingLists } from './lists/finding-lists';
import { FindingWordsRepository } from './lists/data/finding-words.repository';
import { FindingSearches } from './lists/finding-searches';
import { SavedViewsRepository } from './lists/data/saved-views.repository';
import { ScannedFindingsRepository } from './scans/data/scanned-findings.repository';
import { FindingDetailsService } from './details/finding-details.service';
import { EventDaysService } from './details/event-days.service';
import { FindingOverviewService } from './details/finding-overview.service';
import { FindingSlaService } from './changes/finding-sla.service';
import { FindingVulnerabilities } from './changes/finding-vulnerabilities';
import { FindingStatusWriter } from './changes/finding-status-writer';
import { CheckReplacement } from './scans/check-replacement';
import { FindingRecorder } from './scans/finding-recorder';
import { FindingWriter } from './scans/finding-writer';
import { FindingApprovals } from './finding-approvals';
import { FindingsService } from './findings.service';
import { LibraryChecksService } from './library-checks.service';
import { MarkdownRenderer } from './rendering/markdown-renderer';
import { ProvedChecks } from './scans/proved-checks';
import { ProposedChecksService } from './scans/proposed-checks.service';
import { SavedViewsService } from './lists/saved-views.service';
import { ScannedFindingsService } from './scans/scanned-findings.service';
import { RepeatedResultsService } from './scans/repeated-results.service';
import { SightingsService } from './scans/sightings.service';
import { ScannedVerificationsService } from './scans/scanned-verifications.service';
import { UndoneScansService } from './scans/undone-scans.service';
import { AcceptanceExpiry } from './changes/work/acceptance-expiry';
import { OverviewRefresh } from './details/work/overview-refresh';
import { DueDates } from './changes/work/due-dates';
import { FindingBeliefs } from './details/work/finding-beliefs';
import { VulnerabilityCopies } from './details/work/vulnerability-copies';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      FindingRow,
      FindingHistory,
      FindingTexts,
      FindingAttachmentRow,
      FindingAttachmentChunk,
      FindingTemplate,
      EventFinding,
      AssetTotalsRow,
      StoredOverview,
      StoredEventDays,
      FindingSla,
      SavedView,
      FindingPreferences,
      FindingSighting,
    ]),
    ApprovalsModule,
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
    FindingTextsRepository,
    FindingAttachmentsRepository,
    FindingAttachmentsService,
    FindingEditor,
    AcceptanceRules,
    FindingTextsService,
    FindingTemplatesRepository,
    FindingTemplatesService,
    CheckReplacement,
    ProvedChecks,
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
    FindingListsRepository,
    FindingGroupsRepository,
    FindingWordsRepository,
    FindingSearches,
    FindingLists,
    SavedViewsService,
    AssignedFindingsRepository,
    FindingAssignees,
    FindingChangesService,
    FindingCommentsService,
    MergedFindingsRepository,
    FindingSeparation,
    ImportTestsRepository,
    FindingMergesService,
    FindingMovesService,
    AlikeFindings,
    FindingsService,
    FindingApprovals,
    LibraryChecksService,
    FindingActorsRepository,
    NotifiedFindingsRepository,
    FindingOverviewRepository,
    FindingOverviewService,
    EventDaysRepository,
    EventDaysService,
    OverviewRefresh,
    RetestSelectionRepository,
    RetestSelection,
    FindingDetailsRepository,
    FindingDetailsService,
    { provide: MarkdownRenderer, useFactory: () => new MarkdownRenderer() },
    AcceptanceExpiry,
    DueDates,
    FindingVulnerabilities,
    FindingCopiesRepository,
    VulnerabilityCopies,
    FindingBeliefs,
  ],
  exports: [
    AlikeFindings,
    FindingMovesService,
    AcceptanceRules,
    FindingTemplatesService,
    FindingTextsService,
    FindingAttachmentsService,
    FindingActorsRepository,
    NotifiedFindingsRepository,
    FindingLists,
    ScannedFindingsService,
    RepeatedResultsService,
    SightingsService,
    UndoneScansService,
    ScannedVerificationsService,
    ProposedChecksService,
    SavedViewsService,
    FindingsService,
    LibraryChecksService,
    RetestSelection,
    FindingOverviewService,
    EventDaysService,
    FindingChangesService,
    FindingCommentsService,
    FindingMergesService,
    FindingSlaService,
    FindingDetailsService,
    MarkdownRenderer,
  ],
})
export class FindingsModule {}
