import { Injectable } from '@nestjs/common';
import { system } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import { type CarriedCheck, ProposedChecksService, type ReplayedRequest, type TemplateRequest } from '../../findings';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import { ImportProposalsRepository, type NewProposal } from '../data/import-proposals.repository';
import { ImportsRepository } from '../data/imports.repository';
import {
  checkOfCarriedReplay,
  checksOfTemplate,
  isRefused,
  type ProposalKind,
  type ProposedCheck,
  proposedReplay,
  proposedTemplate,
  refusedReplay,
} from '../domain/proposal';
import { importAudit } from './import-audit';
import { ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

/** Per kind. Scanners have fewer rules; only a forged file has more. */
const MAX_PROPOSALS = 500;
const BATCH_SIZE = 500;
/** Of the different requests that a rule's replays send. */
const MAX_SHOWN = 20;
/** How many results of a group are tried to find a suitable one. */
const MAX_TRIED = 5_000;

/** After an import, records the checks that its file carries. They run only after people have approved them. */
@Injectable()
export class ImportProposals {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly proposals: ImportProposalsRepository,
    private readonly findings: ProposedChecksService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Safe to run again after an interruption: existing proposals stay as they are. */
  async collect(begun: BegunImport, signal: AbortSignal): Promise<void> {
    if (begun.dryRun) return;
    const { id } = begun;
    for (const carried of await this.findings.listTemplates(id, MAX_PROPOSALS)) {
      signal.throwIfAborted();
      await this.save(begun, 'template', carried, await this.template(id, carried));
    }
    const templates = await this.proposals.listAcceptedTemplates(id);
    for (const carried of await this.findings.listReplays(id, templates, MAX_PROPOSALS)) {
      signal.throwIfAborted();
      await this.save(begun, 'replay', carried, await this.replay(id, carried, templates));
    }
  }

  private async template(importId: number, { digest, template }: CarriedCheck): Promise<ProposedCheck> {
    const source = template ?? '';
    const proposed = proposedTemplate(source);
    const checkFor = checksOfTemplate(source);
    if (proposed.refusal !== null || isRefused(checkFor)) return proposed;
    const group = { kind: 'template', digest, template, exceptTemplates: [] } as const;
    const first = await this.firstSuitable(importId, group, checkFor);
    return isRefused(first) ? { ...proposed, refusal: first.refusal } : proposed;
  }

  private async replay(
    importId: number,
    carried: CarriedCheck,
    exceptTemplates: readonly string[],
  ): Promise<ProposedCheck & { readonly requestCount?: number }> {
    const group = { kind: 'replay', digest: carried.digest, template: null, exceptTemplates } as const;
    const first = await this.firstSuitable(importId, group, checkOfCarriedReplay);
    if (isRefused(first)) return refusedReplay(carried, first.refusal);
    const { count, first: shown } = await this.findings.replayedRequests(importId, group, MAX_SHOWN);
    return { ...proposedReplay(first), requests: shown.map(requestAt), requestCount: count };
  }

  /** The check of the first suitable result, or the reason why none is suitable. */
  private async firstSuitable(
    importId: number,
    group: Parameters<ProposedChecksService['carriersOf']>[1],
    checkFor: typeof checkOfCarriedReplay,
  ) {
    let refusal = 'its findings have a check now';
    let tried = 0;
    for await (const carriers of this.findings.carriersOf(importId, group, BATCH_SIZE)) {
      for (const carrier of carriers) {
        const check = checkFor(carrier);
        if (!isRefused(check)) return check;
        if (tried++ === 0) refusal = check.refusal;
      }
      if (tried >= MAX_TRIED) break;
    }
    return { refusal };
  }

  private async save(
    begun: BegunImport,
    kind: ProposalKind,
    { digest, scanner, ruleId, title, severity, location, findings }: CarriedCheck,
    proposed: ProposedCheck & { readonly requestCount?: number },
  ): Promise<void> {
    const { id, organizationId } = begun;
    const proposal: NewProposal = {
      requestCount: proposed.requests.length,
      ...proposed,
      kind,
      digest,
      scanner,
      ruleId,
      title,
      severity,
      location,
      findings,
    };
    await this.unitOfWork.run(importAudit(begun, 'import.propose', system), scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, begun.status))) throw new ImportLostError();
      await this.proposals.addMany(id, organizationId, [proposal]);
      const { checkId: check, refusal } = proposed;
      this.unitOfWork.note({ metadata: { kind, check, rule: ruleId, refusal } });
    });
  }
}

/** The target of a replay is its URL. */
const requestAt = ({ method, url }: ReplayedRequest): TemplateRequest => ({
  method,
  target: url,
  isBelowPath: false,
  followsRedirects: false,
});
