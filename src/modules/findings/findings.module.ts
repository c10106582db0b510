import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations';
import { AssetTotalsRow } from './data/asset-totals.entity';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import { EventFinding } from './data/event-finding.entity';
import { EventFindingsRepository } from './data/event-findings.repository';
import { FindingAttentionRepository } from './data/finding-attention.repository';
import { FindingDetailsRepository } from './data/finding-details.repository';
import { FindingRow } from './data/finding.entity';
import { FindingHistory } from './data/finding-history.entity';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingsRepository } from './data/findings.repository';
import { FindingAttentionService } from './finding-attention.service';
import { FindingDetailsService } from './finding-details.service';
import { FindingStatusWriter } from './finding-status-writer';
import { FindingRecorder } from './finding-recorder';
import { FindingsService } from './findings.service';
import { MarkdownRenderer } from './rendering/markdown-renderer';
import { AcceptanceExpiry } from './work/acceptance-expiry';

@Module({
  imports: [TypeOrmModule.forFeature([FindingRow, FindingHistory, EventFinding, AssetTotalsRow]), OrganizationsModule],
  providers: [
    FindingsRepository,
    FindingHistoryRepository,
    EventFindingsRepository,
    AssetTotalsRepository,
    FindingStatusWriter,
    FindingRecorder,
    FindingsService,
    FindingAttentionRepository,
    FindingAttentionService,
    FindingDetailsRepository,
    FindingDetailsService,
    { provide: MarkdownRenderer, useFactory: () => new MarkdownRenderer() },
    AcceptanceExpiry,
  ],
  exports: [FindingsService, FindingAttentionService, FindingDetailsService, MarkdownRenderer],
})
export class FindingsModule {}
