import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { MAX_COUNT } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { OrganizationsService } from '../../organizations';
import { FindingAttentionRepository, type FindingsToNote } from './data/finding-attention.repository';

const DAY_MS = 24 * 60 * 60 * 1000;
const SOON_MS = 14 * DAY_MS;

export interface FindingAttention {
  readonly reopened: FindingsToNote;
  /** Accepted risks whose acceptance ends within two weeks. */
  readonly endingAcceptances: FindingsToNote;
}

/** The findings of an organization that need a person now, besides those of a status. */
@Injectable()
export class FindingAttentionService {
  constructor(
    private readonly findings: FindingAttentionRepository,
    private readonly organizations: OrganizationsService,
    private readonly clock: Clock,
  ) {}

  /** At most `limit` of each kind, and how many there are. */
  async read(scope: Scope, organizationId: number, limit: number): Promise<FindingAttention> {
    const { id } = await this.organizations.get(scope, organizationId);
    const soon = new Date(this.clock.now().getTime() + SOON_MS);
    const [reopened, endingAcceptances] = await Promise.all([
      this.findings.reopened(scope, id, limit, MAX_COUNT + 1),
      this.findings.acceptedUntil(scope, id, soon, limit, MAX_COUNT + 1),
    ]);
    return { reopened, endingAcceptances };
  }
}
