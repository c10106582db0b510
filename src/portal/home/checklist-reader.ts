import { Injectable } from '@nestjs/common';
import type { Page } from '../../kernel/page';
import { AssetsService, DomainsService } from '../../modules/assets';
import { ApiKeysService, InvitationsService, MembersService } from '../../modules/identity';
import { JobsService } from '../../modules/jobs';
import { ObservationSettings } from '../../modules/observations';
import { OrganizationsService } from '../../modules/organizations';
import type { Place } from '../http/places';
import { domainsUrl, membersUrl, OWN_KEYS_URL, scansUrl } from '../urls';

export interface ChecklistStep {
  readonly text: string;
  readonly href: string;
  readonly isDone: boolean;
}

export interface Checklist {
  /** Those that the caller may do; none when all are done, or when an admin has ended the checklist. */
  readonly steps: readonly ChecklistStep[];
  readonly mayEnd: boolean;
  /** Whether an admin can turn on observation, which is off. */
  readonly offersObservation: boolean;
}

const some = (perPage: number): Page => ({ page: 1, perPage });
const MAX_DOMAINS = 100;
const MAX_KEYS = 100;

/** Reads which of the first steps of an organization are done. */
@Injectable()
export class ChecklistReader {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly domains: DomainsService,
    private readonly jobs: JobsService,
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly keys: ApiKeysService,
    private readonly assets: AssetsService,
    private readonly observation: ObservationSettings,
  ) {}

  async read(place: Place): Promise<Checklist> {
    const { caller, organizationId } = place;
    const { checklistEnded } = await this.organizations.get(caller.scope, organizationId);
    const mayEnd = caller.hasRole('admin', organizationId);
    const mayInvite = caller.hasRole('owner', organizationId);
    const offersObservation = mayEnd && (await this.isObservationOff(place));
    const isOver = checklistEnded !== null || !caller.hasRole('member', organizationId);
    const steps = isOver ? [] : await this.steps(place, mayInvite);
    return { steps: steps.every(({ isDone }) => isDone) ? [] : steps, mayEnd, offersObservation };
  }

  private async steps({ caller, organizationId }: Place, mayInvite: boolean): Promise<ChecklistStep[]> {
    const scope = caller.scope.within(organizationId);
    const [domains, jobs, members, invitations, keys] = await Promise.all([
      this.domains.listFor(scope, organizationId, some(MAX_DOMAINS)),
      this.jobs.list(scope, some(1)),
      this.members.list(scope, organizationId, some(2)),
      mayInvite ? this.invitations.listOpen(caller, organizationId) : [],
      this.keys.list(caller, some(MAX_KEYS)),
    ]);
    const isKeyOfPipeline = ({ revoked, organizationIds }: (typeof keys.items)[number]): boolean =>
      revoked === null && (organizationIds === null || organizationIds.includes(organizationId));
    const url = domainsUrl(organizationId);
    return [
      { text: 'Add a domain', href: url, isDone: domains.items.length > 0 },
      { text: 'Prove it with a DNS record', href: url, isDone: domains.items.some(({ verified }) => verified) },
      { text: 'Run the first scan', href: scansUrl(organizationId), isDone: jobs.items.length > 0 },
      ...(mayInvite
        ? [
            {
              text: 'Invite a person',
              href: membersUrl(organizationId),
              isDone: members.items.length > 1 || invitations.length > 0,
            },
          ]
        : []),
      { text: 'Add a key for a pipeline', href: OWN_KEYS_URL, isDone: keys.items.some(isKeyOfPipeline) },
    ];
  }

  private async isObservationOff({ caller: { scope }, organizationId }: Place): Promise<boolean> {
    const { isEnabled } = await this.observation.ofOrganization(scope, organizationId);
    return !isEnabled && (await this.assets.listFor(scope, organizationId, some(1))).items.length > 0;
  }
}
