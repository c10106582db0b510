import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { FindingHistoryRepository } from '../changes/data/finding-history.repository';
import { FindingSlaRepository } from '../changes/data/finding-sla.repository';
import type { ScannedFinding } from '../data/finding.entity';
import { isOpen } from '../domain/finding-status';
import { decideObservation, type Knowledge } from '../domain/observation';
import { defaultSla, dueDateOfFinding, renewedTerm, type Sla } from '../domain/sla';
import { MergedFindingsRepository } from './data/merged-findings.repository';

interface SeparatedFinding {
  readonly part: ScannedFinding;
  readonly after: ScannedFinding;
}

/** Computes the state of findings that are separated from their main finding. */
@Injectable()
export class FindingSeparation {
  constructor(
    private readonly merged: MergedFindingsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly slas: FindingSlaRepository,
    private readonly clock: Clock,
  ) {}

  async save(organizationId: number, parts: readonly ScannedFinding[]): Promise<SeparatedFinding[]> {
    const sla = (await this.slas.findOfVisible(organizationId)) ?? defaultSla;
    const knowledge = await this.history.listKnowledge(parts);
    const separated: SeparatedFinding[] = [];
    for (const part of parts) {
      const after = await this.afterSeparation(part, knowledge.get(part.id), sla);
      await this.merged.saveSeparated(after);
      separated.push({ part, after });
    }
    return separated;
  }

  /**
   * Its sightings from while it was merged count now. Its due date is recomputed from the current SLA, because merged findings
   * are not updated.
   */
  private async afterSeparation(part: ScannedFinding, known: Knowledge | undefined, sla: Sla): Promise<ScannedFinding> {
    const at = await this.merged.findLastSeen(part.id);
    const decision = known && at !== null ? decideObservation(known, { kind: 'seen', at }) : undefined;
    const { status = part.status, renewsTerm = false } = decision ?? {};
    if (status !== part.status) {
      const term = renewsTerm ? renewedTerm(sla, part, this.clock.now()) : {};
      const reopened = { ...part, status, previousStatus: part.status, ...term };
      return renewsTerm ? reopened : { ...reopened, dueDate: dueDateOfFinding(sla, reopened) };
    }
    return isOpen(status) ? { ...part, dueDate: dueDateOfFinding(sla, part) } : part;
  }
}
