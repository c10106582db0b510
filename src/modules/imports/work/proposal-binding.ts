import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { type Carrier, type CheckToBind, ProposedChecksService } from '../../findings';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import type { ImportProposal } from '../data/import-proposal.entity';
import { ImportProposalsRepository } from '../data/import-proposals.repository';
import { ImportsRepository } from '../data/imports.repository';
import { checkOfCarriedReplay, checksOfTemplate, isRefused } from '../domain/proposal';
import { PROPOSAL_WORK } from '../proposals.service';
import { importAudit, uploaderOf } from './import-audit';
import { ImportLostError } from './import-batches';
import { ImportVerifications } from './import-verifications';

const scope = everything('a worker runs the imports of all organizations');

/** Small, so that requests only wait briefly for the findings of a batch. */
const BATCH_SIZE = 100;

const UNFINISHED = 'Binding it to its findings did not finish because of an internal error. Approve it again.';

/** Binds an approved check to the findings of its import that carry it, and requests their tests. */
@Injectable()
@WorkKind(PROPOSAL_WORK)
export class ProposalBinding implements WorkHandler {
  readonly maxConcurrent = 1;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly proposals: ImportProposalsRepository,
    private readonly findings: ProposedChecksService,
    private readonly verifications: ImportVerifications,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const proposal = await this.proposals.findOne(proposalOf(claim));
    const ended = proposal && (await this.imports.findEnded(proposal.importId));
    // In the meantime, the import was undone or deleted, or the approval was withdrawn.
    if (ended === undefined || proposal?.status !== 'approved') return this.completion(claim, {});
    await this.bind(ended, proposal, signal);
    await this.verifications.request(ended, signal);
    return this.completion(claim, { proposal: proposal.id, check: proposal.checkId });
  }

  abandon(claim: Claim, reason: string): Completion {
    const apply = (): Promise<void> => this.proposals.withdrawApprovals(importOf(claim), proposalOf(claim), UNFINISHED);
    return { ...this.completion(claim, { reason }), apply };
  }

  /**
   * Withdraws approvals in advance of an import that could not be completed. The import binds these itself, before people may
   * decide.
   */
  withdrawApprovals(importId: number): Promise<void> {
    return this.proposals.withdrawApprovals(importId, null, UNFINISHED);
  }

  /** Binds the replays of an import whose uploader approved them in advance. */
  async bindReplays(begun: BegunImport, signal: AbortSignal): Promise<void> {
    if (begun.dryRun || !begun.testReplays) return;
    const uploader = uploaderOf(begun);
    await this.inUnitOfWork(begun, 'import.approve', uploader, async () => {
      const proposals = await this.proposals.approveReplays(begun.id, uploader);
      this.unitOfWork.note({ metadata: { proposals } });
    });
    for (const proposal of await this.proposals.listApproved(begun.id)) await this.bind(begun, proposal, signal);
  }

  private async bind(begun: BegunImport, proposal: ImportProposal, signal: AbortSignal): Promise<void> {
    const { id, importId, kind, digest, definition, ruleId, scanner } = proposal;
    const checkFor = kind === 'replay' ? checkOfCarriedReplay : checksOfTemplate(definition);
    await this.proposals.resetNotBound(id);
    if (isRefused(checkFor)) {
      // An earlier version of this service accepted the template.
      await this.proposals.countBound(id, 0, [checkFor.refusal]);
      return;
    }
    const template = kind === 'template' ? definition : null;
    const exceptTemplates = kind === 'template' ? [] : await this.proposals.listAcceptedTemplates(importId);
    const actor: Actor = { type: proposal.actorType ?? 'system', id: proposal.actorId ?? '' };
    const what = kind === 'template' ? 'template' : 'request';
    const comment = `Import ${importId}: the ${what} of ${scanner} ${ruleId ?? ''} that the file carries was approved as its check.`;
    const group = { kind, digest, template, exceptTemplates };
    for await (const carriers of this.findings.carriersOf(importId, group, BATCH_SIZE)) {
      signal.throwIfAborted();
      const { checks, refusals } = checksOf(carriers, checkFor);
      await this.inUnitOfWork(begun, 'import.bind', actor, async () => {
        const bound = await this.findings.bind(begun.organizationId, checks, { actor, comment });
        await this.proposals.countBound(id, bound.length, refusals);
        this.unitOfWork.note({ metadata: { proposal: id, findings: bound } });
      });
    }
  }

  private async inUnitOfWork(
    begun: BegunImport,
    operation: string,
    actor: Actor,
    work: () => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.run(importAudit(begun, operation, actor), scope, async () => {
      await this.organizations.lockForShare(scope, begun.organizationId);
      if (!(await this.imports.lockFor(begun, begun.status))) throw new ImportLostError();
      await work();
    });
  }

  private completion(claim: Claim, metadata: Record<string, unknown>): Completion {
    const resourceId = String(importOf(claim));
    const audit = workAudit(claim, { operation: 'import.bind_finish', resourceType: 'import', resourceId, metadata });
    return { audit, apply: async () => undefined };
  }
}

const importOf = ({ reference }: Claim): number => Number(reference.split(' ')[0]);
const proposalOf = ({ reference }: Claim): number => Number(reference.split(' ')[1]);

/** Several sightings of a finding may carry the same check. Refusals are counted by finding, not by sighting. */
function checksOf(
  carriers: readonly Carrier[],
  checkFor: typeof checkOfCarriedReplay,
): { readonly checks: CheckToBind[]; readonly refusals: string[] } {
  const checks: CheckToBind[] = [];
  const refusals = new Map<number, string>();
  for (const carrier of carriers) {
    const check = checkFor(carrier);
    const { id: sightingId, findingId } = carrier;
    if (isRefused(check)) refusals.set(findingId, check.refusal);
    else checks.push({ sightingId, findingId, checkId: check.checkId, checkDefinition: check.checkDefinition });
  }
  const bound = new Set(checks.map(({ findingId }) => findingId));
  return { checks, refusals: [...refusals].flatMap(([id, reason]) => (bound.has(id) ? [] : [reason])) };
}
