import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Page, Slice } from '../../kernel/page';
import { ResourceOwners } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Scope } from '../../platform/auth/scope';
import type { Report } from './data/report.entity';
import { type NewReport, ReportsRepository } from './data/reports.repository';
import { reportNotFound } from './domain/report.errors';

@Injectable()
export class ReportsService implements OnModuleInit {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly owners: ResourceOwners,
  ) {}

  onModuleInit(): void {
    this.owners.register(
      'report',
      async (scope, id) => (await this.reports.findOne(scope, Number(id)))?.organizationId,
    );
  }

  async get(scope: Scope, id: number): Promise<Report> {
    const report = await this.reports.findOne(scope, id);
    if (report === undefined) throw reportNotFound();
    return report;
  }

  list(scope: Scope, page: Page): Promise<Slice<Report>> {
    return this.reports.listFor(scope, page);
  }

  /** The record of a report, with everything that decides what it will show. */
  async create(report: NewReport): Promise<number> {
    const id = await this.reports.save(report);
    this.unitOfWork.note({
      resourceId: String(id),
      organizationId: report.organizationId,
      metadata: { event_id: report.eventId, options: report.options },
    });
    return id;
  }
}
