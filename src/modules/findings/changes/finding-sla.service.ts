import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid-v7';
import type { Caller } from '../../../platform/api/caller';
import type { Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Work } from '../../../platform/work/work';
import { OrganizationsService } from '../../organizations';
import { FindingSlaRepository } from './data/finding-sla.repository';
import { defaultSla, type Sla } from '../domain/sla';

export const DUE_DATES_KIND = 'finding.due_dates';

/** The number of days in which an organization fixes findings of each severity. */
@Injectable()
export class FindingSlaService {
  constructor(
    private readonly slas: FindingSlaRepository,
    private readonly organizations: OrganizationsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async get(scope: Scope, organizationId: number): Promise<Sla> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.ofVisible(id);
  }

  /**
   * Absent fields stay as they are. A worker then moves the due dates of open findings. Each change enqueues its own work,
   * because work that is running may already have passed some findings.
   */
  async change(caller: Caller, organizationId: number, change: Partial<Sla>): Promise<Sla> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'sla' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    const from = await this.ofVisible(id);
    const to = { ...from, ...definedOf(change) };
    this.unitOfWork.note({ metadata: { from, to } });
    await this.slas.save(id, to);
    const reference = `${id} ${uuidV7(this.clock.now().getTime())}`;
    await this.work.enqueue({ kind: DUE_DATES_KIND, reference, organizationId: id });
    return to;
  }

  private async ofVisible(organizationId: number): Promise<Sla> {
    const { critical, high, medium, low } = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    return { critical, high, medium, low };
  }
}

const definedOf = (change: Partial<Sla>): Partial<Sla> =>
  Object.fromEntries(Object.entries(change).filter(([, days]) => days !== undefined));
