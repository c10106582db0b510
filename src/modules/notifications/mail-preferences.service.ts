import { Injectable } from '@nestjs/common';
import { type DomainError, forbidden, notFound } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Mailer } from '../../platform/mail/mailer';
import { MembersService } from '../identity';
import { OrganizationsService } from '../organizations';
import { MailPreferencesRepository } from './data/mail-preferences.repository';
import { NotificationSettingsRepository } from './data/notification-settings.repository';
import { MAIL_KINDS, type MailKind } from './domain/mail-kinds';
import { UnsubscribeTokens } from './unsubscribe-tokens';

const onlyMembersGetMail = (organizationId: number): DomainError =>
  forbidden(`Only members of organization ${organizationId} get mail about it. Ask an owner to invite you.`);

const unsubscribeLinkNotFound = (): DomainError => notFound('Link');

export type MailPreference = Readonly<Record<MailKind, boolean>>;

/** What the caller gets by mail from an organization, and what mails of the organization show. */
@Injectable()
export class MailPreferencesService {
  constructor(
    private readonly preferences: MailPreferencesRepository,
    private readonly settings: NotificationSettingsRepository,
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly tokens: UnsubscribeTokens,
    private readonly mailer: Mailer,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Whether the service sends mail at all. */
  get isMailed(): boolean {
    return this.mailer.isEnabled;
  }

  async get(caller: Caller, organizationId: number): Promise<MailPreference> {
    const { id } = await this.organizations.get(caller.scope, organizationId);
    return preferenceOf(await this.preferences.findOfVisible(id, caller.facts.userId));
  }

  /** Kinds that are absent stay as they are. */
  async change(caller: Caller, organizationId: number, change: Partial<MailPreference>): Promise<MailPreference> {
    const { userId } = caller.facts;
    const { id } = await this.organizations.get(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'my-mail' });
    if (!(await this.members.lockMembership(id, userId))) throw onlyMembersGetMail(id);
    const from = await this.preferences.findOfVisible(id, userId);
    const kinds = MAIL_KINDS.filter((kind) => change[kind] ?? from.includes(kind));
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { from, to: kinds } });
    await this.preferences.save(id, userId, kinds);
    return preferenceOf(kinds);
  }

  async hasTitles(scope: Scope, organizationId: number): Promise<boolean> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.settings.hasMailTitlesOfVisible(id);
  }

  /** Whether mails show the titles of findings. */
  async changeTitles(caller: Caller, organizationId: number, titles: boolean): Promise<void> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id, resourceId: 'mail' });
    caller.requireRole('admin', id);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { titles } });
    await this.settings.saveMailTitles(id, titles);
  }

  /** What the link of a mail turns off. */
  describeLink(token: string): MailKind {
    return orThrow(this.tokens.read(token), unsubscribeLinkNotFound).kind;
  }

  /** Without a sign-in: the link turns one kind of mail off, also again, and after the user has left. */
  async turnOff(token: string): Promise<MailKind> {
    const { organizationId, userId, kind } = orThrow(this.tokens.read(token), unsubscribeLinkNotFound);
    const isChanged = await this.preferences.turnOff(organizationId, userId, kind);
    this.unitOfWork.note({ organizationId, resourceId: 'my-mail', metadata: { user_id: userId, kind, isChanged } });
    return kind;
  }
}

const preferenceOf = (kinds: readonly MailKind[]): MailPreference =>
  Object.fromEntries(MAIL_KINDS.map((kind) => [kind, kinds.includes(kind)])) as Record<MailKind, boolean>;
