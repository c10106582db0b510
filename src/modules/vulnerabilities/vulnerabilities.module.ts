import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EpssScore } from './data/epss-score.entity';
import { KevEntry } from './data/kev-entry.entity';
import { VulnerabilitiesRepository } from './data/vulnerabilities.repository';
import { VulnerabilitySource } from './data/vulnerability-source.entity';
import { VulnerabilitiesService } from './vulnerabilities.service';
import { VulnerabilityLoader } from './vulnerability-loader';
import { VulnerabilityDownload } from './work/vulnerability-download';
import { VulnerabilityUpdates } from './work/vulnerability-updates';

@Module({
  imports: [TypeOrmModule.forFeature([EpssScore, KevEntry, VulnerabilitySource])],
  providers: [
    VulnerabilitiesRepository,
    VulnerabilitiesService,
    VulnerabilityLoader,
    VulnerabilityDownload,
    VulnerabilityUpdates,
  ],
  exports: [VulnerabilitiesService, VulnerabilityLoader],
})
export class VulnerabilitiesModule {}
