import { appendFile } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { everything } from '../../../platform/api/scope';
import { Config } from '../../../platform/config/load-config';
import { Again, TenantTurns } from '../../../platform/work/tenant-turns';
import { Scheduled } from '../../../platform/work/work-handler';
import { SigningKeysService } from '../../evidence';
import { AuditHeadsRepository } from '../data/audit-heads.repository';
import { monthAfter, startOfMonth } from '../domain/months';
import { evidenceKeysState, headKeyOf, signedHead } from '../domain/signed-head';
import { rootOf } from '../domain/merkle-tree';

const scope = everything('the entries of all organizations are put into trees');

/** Null is the organization of entries without one, whose number is 0. */
interface Turn {
  readonly organizationId: number | null;
}

/** Puts committed entries into the tree of their organization and month, and signs the heads of the trees. */
@Injectable()
export class AuditHeadSigning {
  constructor(
    private readonly heads: AuditHeadsRepository,
    private readonly keys: SigningKeysService,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Without a key there is no tree, either. */
  @Scheduled({ name: 'audit_log.heads', everySeconds: 3_600 })
  async run(): Promise<void> {
    const { AUDIT_HEAD_KEY: setting } = this.config;
    if (setting === undefined) return;
    await this.turns.each(
      'audit_log.heads',
      scope,
      async (part) =>
        (await this.heads.listGrowing(part, this.clock.now())).map(({ id }): Turn => ({ organizationId: id || null })),
      (turn) => this.take(turn, setting),
    );
  }

  private async take(turn: Turn, setting: string): Promise<Again<Turn> | undefined> {
    const organizationId = turn.organizationId ?? 0;
    if (await this.append(organizationId)) return new Again(turn);
    await this.sign(organizationId, setting);
    return undefined;
  }

  /** The next leaves, of the last two months and then of the next one that has entries. Returns false if there are none. */
  private async append(organizationId: number): Promise<boolean> {
    const now = this.clock.now();
    const last = await this.heads.findLastMonth(organizationId);
    // Once a day also what is later than a day, at an hour of each organization.
    const isWhole = now.getUTCHours() === organizationId % 24;
    for (const month of last === undefined ? [] : [monthAfter(last, -1), last])
      if (await this.heads.append(organizationId, month, isWhole)) return true;
    const since = last === undefined ? new Date(0) : startOfMonth(monthAfter(last));
    const next = await this.heads.findMonthSince(organizationId, since, now);
    return next !== undefined && this.heads.append(organizationId, next, isWhole);
  }

  /** The file gets a head before the database does: one that is written twice does no harm. */
  private async sign(organizationId: number, setting: string): Promise<void> {
    const unsigned = await this.heads.listUnsigned(organizationId);
    if (unsigned.length === 0) return;
    const key = headKeyOf(setting);
    const evidenceKeys = evidenceKeysState(await this.keys.list());
    for (const { month, size, frontier } of unsigned) {
      const document = signedHead(
        {
          type: 'assay/audit-head/1',
          organization_id: organizationId,
          month,
          size,
          root: rootOf(frontier).toString('hex'),
          previous: await this.heads.findHeadBefore(organizationId, month),
          evidence_keys: evidenceKeys,
          signed: this.clock.now().toISOString(),
        },
        key,
      );
      if (this.config.AUDIT_HEADS_FILE !== undefined)
        await appendFile(this.config.AUDIT_HEADS_FILE, `${JSON.stringify(document)}\n`, { mode: 0o644, flush: true });
      await this.heads.addHead(document);
    }
  }
}
