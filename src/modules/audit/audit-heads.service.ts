import { Injectable } from '@nestjs/common';
import { conflict, notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { OrganizationsService } from '../organizations';
import { AuditHeadsRepository } from './data/audit-heads.repository';
import { consistencyPath, inclusionPath } from './domain/merkle-tree';
import type { SignedHead } from './domain/signed-head';

/** More than one an hour. */
const HEADS_OF_MONTH = 1_000;
const NEWEST_HEADS = 100;

export interface InclusionProof {
  readonly signed: SignedHead;
  readonly leafIndex: number;
  readonly path: readonly Buffer[];
}

export interface ConsistencyProof {
  readonly first: SignedHead;
  readonly second: SignedHead;
  readonly path: readonly Buffer[];
}

const headNotFound = () => notFound('Audit head');
const entryNotFound = () => notFound('Audit entry');

/** For those who may read the audit log. */
@Injectable()
export class AuditHeadsService {
  constructor(
    private readonly heads: AuditHeadsRepository,
    private readonly organizations: OrganizationsService,
  ) {}

  /** The newest first. */
  async list(caller: Caller, organizationId: number, month?: string): Promise<SignedHead[]> {
    await this.requireReadable(caller, organizationId);
    return this.heads.listHeadsOfVisible(organizationId, month, month === undefined ? NEWEST_HEADS : HEADS_OF_MONTH);
  }

  async findNewest(caller: Caller, organizationId: number): Promise<SignedHead | undefined> {
    await this.requireReadable(caller, organizationId);
    return (await this.heads.listHeadsOfVisible(organizationId, undefined, 1))[0];
  }

  async proveInclusion(caller: Caller, organizationId: number, month: string, id: string): Promise<InclusionProof> {
    await this.requireReadable(caller, organizationId);
    const [signed] = await this.heads.listHeadsOfVisible(organizationId, month, 1);
    if (signed === undefined) throw entryNotFound();
    const { size } = signed.head;
    const { ids, hashes } = await this.leavesOf(organizationId, month, size);
    const leafIndex = ids.indexOf(id);
    if (leafIndex < 0) throw entryNotFound();
    return { signed, leafIndex, path: await inclusionPath(hashes, leafIndex) };
  }

  async proveConsistency(
    caller: Caller,
    organizationId: number,
    month: string,
    sizes: { readonly first: number; readonly second: number },
  ): Promise<ConsistencyProof> {
    const heads = await this.list(caller, organizationId, month);
    const headOf = (size: number): SignedHead => {
      const found = heads.find(({ head }) => head.size === size);
      return orThrow(found, headNotFound);
    };
    const first = headOf(Math.min(sizes.first, sizes.second));
    const second = headOf(Math.max(sizes.first, sizes.second));
    const { hashes } = await this.leavesOf(organizationId, month, second.head.size);
    return { first, second, path: await consistencyPath(hashes, first.head.size) };
  }

  /** All heads and leaves, as lines for `assay verify-audit`. */
  async proofs(caller: Caller, organizationId: number, month?: string): Promise<AsyncGenerator<string>> {
    await this.requireReadable(caller, organizationId);
    const months = month === undefined ? await this.heads.listMonthsOfVisible(organizationId) : [month];
    return this.linesOf(organizationId, months);
  }

  private async *linesOf(organizationId: number, months: readonly string[]): AsyncGenerator<string> {
    for (const month of months) {
      for (const document of await this.heads.listHeadsOfVisible(organizationId, month, HEADS_OF_MONTH))
        yield lineOf('audit_heads', { document });
      for await (const { start, ids, hashes } of this.heads.leavesOfVisible(organizationId, month))
        yield lineOf('audit_leaves', {
          organization_id: organizationId,
          month,
          start,
          ids,
          hashes: hashes.toString('hex'),
        });
    }
  }

  private async leavesOf(
    organizationId: number,
    month: string,
    size: number,
  ): Promise<{ ids: string[]; hashes: Buffer[] }> {
    const { ids, hashes } = await this.heads.hashesOfVisible(organizationId, month);
    if (ids.length < size) throw conflict(`The entries of ${month} have been archived. Their archive has the proofs.`);
    return { ids: ids.slice(0, size), hashes: hashes.slice(0, size) };
  }

  private async requireReadable(caller: Caller, organizationId: number): Promise<void> {
    await this.organizations.resolveForAudit(caller.scope, organizationId);
    caller.requireRole('admin', organizationId);
  }
}

const lineOf = (table: string, row: object): string => `${JSON.stringify({ table, row })}\n`;
