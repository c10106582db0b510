import { Injectable } from '@nestjs/common';
import { conflict, type DomainError, forbidden, notFound, unprocessable } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { ProposedChecksService } from '../findings';
import { OrganizationsService } from '../organizations';
import type { ImportProposal } from './data/import-proposal.entity';
import { ImportProposalsRepository, type ProposalFilter, type ShownProposal } from './data/import-proposals.repository';
import { ImportsRepository } from './data/imports.repository';
import { importNotFound } from './domain/import.errors';
import { decidesProposals } from './domain/import-status';
import { ImportsService } from './imports.service';

/** Its reference has the ids of the import and of the proposal. */
export const PROPOSAL_WORK = 'import.bind';

export type ProposalDecision = 'approve' | 'decline';

export interface DecisionResult {
  readonly proposalId: number;
  /** Why it was refused; null if it was done. */
  readonly error: DomainError | null;
}

/** Lists and decides about the checks that imported files carry. They run only after a person has approved them. */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly proposals: ImportProposalsRepository,
    private readonly imports: ImportsRepository,
    private readonly importsService: ImportsService,
    private readonly findings: ProposedChecksService,
    private readonly organizations: OrganizationsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Most severe first. */
  async list(scope: Scope, importId: number, filter: ProposalFilter, page: Page): Promise<Slice<ShownProposal>> {
    await this.importsService.get(scope, importId);
    return this.proposals.listForVisible(importId, filter, page);
  }

  /** The proposals that are about this finding. */
  async listOfFinding(scope: Scope, findingId: number): Promise<ShownProposal[]> {
    const carried = await this.findings.listOfFinding(scope, findingId);
    return carried.length === 0 ? [] : this.proposals.listCarried(carried);
  }

  /** A proposal that is refused does not block the others. A worker binds those that are approved. */
  async decide(
    caller: Caller,
    importId: number,
    decision: ProposalDecision,
    ids: readonly number[],
  ): Promise<DecisionResult[]> {
    const { organizationId } = await this.importsService.get(caller.scope, importId);
    this.unitOfWork.note({ organizationId, metadata: { decision } });
    caller.requireRole('member', organizationId);
    await this.organizations.lockForShare(caller.scope, organizationId);
    const { status } = orThrow(await this.imports.lockOne(caller.scope, importId), importNotFound);
    if (!decidesProposals(status))
      throw conflict('The import has not ended or is undone, so nothing of it can be approved or declined.');
    const known = new Map((await this.proposals.listLocked(importId, ids)).map((one) => [one.id, one]));
    const isAdmin = caller.hasRole('admin', organizationId);
    const results = ids.map((proposalId): DecisionResult => {
      const proposal = known.get(proposalId);
      return {
        proposalId,
        error: proposal === undefined ? notFound('Proposal') : refusal(proposal, decision, isAdmin),
      };
    });
    const decided = results.flatMap(({ proposalId, error }) => (error === null ? (known.get(proposalId) ?? []) : []));
    await this.save(
      caller,
      importId,
      decision,
      decided.filter((one) => one.status !== STATUSES[decision]),
    );
    return results;
  }

  private async save(
    { actor }: Caller,
    importId: number,
    decision: ProposalDecision,
    decided: readonly ImportProposal[],
  ): Promise<void> {
    this.unitOfWork.note({ metadata: { changed: decided.length } });
    if (decided.length === 0) return;
    const ids = decided.map(({ id }) => id);
    await this.proposals.saveDecision(ids, STATUSES[decision], actor);
    for (const { id, kind, checkId, ruleId, digest, organizationId } of decided) {
      const part = { operation: `import.${decision}`, resourceType: 'import', resourceId: String(importId) } as const;
      await this.unitOfWork.recordPart(part, {
        metadata: { proposal: id, kind, check: checkId, rule: ruleId, digest },
      });
      if (decision === 'approve')
        await this.work.enqueue({ kind: PROPOSAL_WORK, reference: `${importId} ${id}`, organizationId });
    }
  }
}

const STATUSES = { approve: 'approved', decline: 'declined' } as const;

/** Approving again changes nothing, and neither does declining again. */
function refusal(proposal: ImportProposal, decision: ProposalDecision, isAdmin: boolean): DomainError | null {
  const { kind, status, refusal: reason } = proposal;
  if (kind === 'replay' && !isAdmin)
    return forbidden('Only an admin may decide about the requests of a file. Ask an admin of the organization.');
  if (decision === 'approve' && reason !== null) return unprocessable(`This check cannot be approved: ${reason}.`);
  if (decision === 'decline' && status === 'approved')
    return conflict(
      'It was approved, so its findings have it as their check. Record them with another check to replace it.',
    );
  return null;
}
