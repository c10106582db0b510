import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { normalizeName } from '../../kernel/normalize-name';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { OrganizationsService } from '../organizations';
import { AddressProofsService } from './address-proofs.service';
import { SetupLinksRepository } from './data/setup-links.repository';
import { UsersRepository } from './data/users.repository';
import { alreadySetUp, setupLinkInvalid } from './domain/identity.errors';
import { hashToken, newToken } from './domain/token';
import { requireMinimumLength } from './domain/password-rule';
import { hashPassword } from './password';

export interface FirstOwner {
  readonly organization: string;
  readonly email: string;
  readonly name: string | null;
  readonly password: string;
}

const LIFETIME_MS = 24 * 3_600_000;

/** The first organization and its owner, in an installation without users. */
@Injectable()
export class SetupService {
  private hasUsers = false;

  constructor(
    private readonly links: SetupLinksRepository,
    private readonly users: UsersRepository,
    private readonly proofs: AddressProofsService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Whether there is no user yet who can sign in. */
  async isNeeded(): Promise<boolean> {
    this.hasUsers ||= await this.users.existsAny();
    return !this.hasUsers;
  }

  /** Returns a link that works once, for a day, as long as there is no user. It replaces an earlier one. */
  async createLink(): Promise<{ readonly link: string; readonly expires: Date }> {
    await this.requireNoUser();
    const token = newToken();
    const expires = new Date(this.clock.now().getTime() + LIFETIME_MS);
    await this.links.replace({ tokenHash: hashToken(token), expires });
    return { link: `${portalUrl(this.config)}/setup/${token}`, expires };
  }

  /** For the page of the link. */
  async requireOpen(token: string): Promise<void> {
    if (!(await this.links.isOpen(hashToken(token), this.clock.now()))) throw setupLinkInvalid();
    await this.requireNoUser();
  }

  /** Of two requests with the link, the second finds it used. */
  async complete(
    token: string,
    { organization, email, name, password }: FirstOwner,
  ): Promise<{ readonly userId: number; readonly organizationId: number }> {
    await this.requireOpen(token);
    const passwordHash = await hashPassword(requireMinimumLength(password));
    if (!(await this.links.use(hashToken(token), this.clock.now()))) throw setupLinkInvalid();
    await this.requireNoUser();
    const organizationId = await this.organizations.create(null, { name: organization, assetsLimit: null });
    const foldedEmail = normalizeName(email);
    const userId = await this.users.save({ email, foldedEmail, name, passwordHash, integratorId: null });
    // The operator has handed over the link, and knows whose address it is.
    await this.proofs.save(userId);
    await this.users.saveMembership(userId, organizationId, 'owner');
    this.unitOfWork.note({ resourceId: String(userId), organizationId });
    return { userId, organizationId };
  }

  private async requireNoUser(): Promise<void> {
    if (await this.users.existsAny()) throw alreadySetUp();
  }
}
