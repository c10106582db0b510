import { Injectable } from '@nestjs/common';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import type { MailText } from '../../platform/mail/mailer';
import { MembersService } from '../identity';
import { OrganizationsService } from '../organizations';
import { NotificationSettingsRepository } from './data/notification-settings.repository';
import type { PersonalNotice } from './data/personal-notice.entity';
import type { Addressee } from './data/personal-notices.repository';
import { type PortalLinks, portalLinks, type NotifiedRecord } from './domain/links';
import type { MailKind } from './domain/mail-kinds';
import { itemOfFinding, MAX_ITEMS, type MessageItem } from './domain/message';
import type { PersonalItem } from './personal-item';
import { PersonalItems } from './personal-items';
import { mailOf } from './rendering/mail';
import { UnsubscribeTokens } from './unsubscribe-tokens';

const scope = everything('a worker writes mail for members of all organizations');

const counted = (one: string, several: (count: number) => string) => (count: number) =>
  count === 1 ? one : several(count);

const HEADINGS: Readonly<Record<MailKind, (count: number) => string>> = {
  assigned: counted('A finding was assigned to you', (count) => `${count} findings were assigned to you`),
  mentioned: counted('You were mentioned', (count) => `You were mentioned ${count} times`),
  verdict: counted(
    'A finding that you follow has a verdict',
    (count) => `${count} findings that you follow have verdicts`,
  ),
  gate: counted('A gate failed', (count) => `${count} gates failed`),
  due_soon: counted('A finding is due soon', (count) => `${count} findings are due soon`),
  done: counted('Done', (count) => `${count} retests and reports are done`),
  account: counted('An account needs you', (count) => `${count} accounts need you`),
};

const REASONS: Readonly<Record<MailKind, string>> = {
  assigned: 'You get this mail because findings that are assigned to you come by mail.',
  mentioned: 'You get this mail because comments that mention you come by mail.',
  verdict: 'You get this mail because verdicts of findings that you follow come by mail.',
  gate: 'You get this mail because failed gates of scans and events that you start come by mail.',
  due_soon: 'You get this mail because your findings that are due within three days come by mail.',
  done: 'You get this mail because the ends of retests and reports that you start come by mail.',
  account: 'You get this mail because accounts with which scheduled scans cannot sign in come by mail.',
};

/** Writes the mail to a member, with the findings as they are now. */
@Injectable()
export class PersonalMessages {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly items: PersonalItems,
    private readonly settings: NotificationSettingsRepository,
    private readonly tokens: UnsubscribeTokens,
    private readonly config: Config,
  ) {}

  /** Undefined if the member has left, or nothing of it is true any more. */
  async mailFor(addressee: Addressee, notices: readonly PersonalNotice[]): Promise<MailText | undefined> {
    const { organizationId, userId, kind } = addressee;
    const organization = await this.organizations.find(scope, organizationId);
    const [member] = await this.members.listOfVisible(organizationId, [userId]);
    if (organization === undefined || member === undefined) return undefined;
    const links = portalLinks(portalUrl(this.config), organizationId);
    const showsTitle = await this.settings.hasMailTitlesOfVisible(organizationId);
    const current = (await this.items.listFor(organizationId, notices)).filter(({ isCurrent }) => isCurrent);
    // Such as several mentions by one person in one finding.
    const byNews = new Map(
      current.map((item) => [`${item.record?.type} ${item.record?.id} ${item.record?.title} ${item.news}`, item]),
    );
    const items = [...byNews.values()].flatMap((item) => messageItemOf(item, links, showsTitle) ?? []);
    if (items.length === 0) return undefined;
    const message = {
      heading: HEADINGS[kind](items.length),
      organization: organization.name,
      items: items.slice(0, MAX_ITEMS),
      more: Math.max(0, items.length - MAX_ITEMS),
      link: links.findings,
    };
    const unsubscribe = links.unsubscribe(this.tokens.create(addressee));
    return mailOf(message, { to: member.email, settings: links.settings, unsubscribe, reason: REASONS[kind] });
  }
}

/** Without titles, a mail names records by their ids. */
const untitled = ({ type, id, title }: NotifiedRecord): string =>
  type === 'report' ? title : type === 'job' ? `Scan ${id}` : type === 'asset' ? 'An account' : 'An event';

function messageItemOf(
  { record, finding, news }: PersonalItem,
  links: PortalLinks,
  showsTitle: boolean,
): MessageItem | undefined {
  const facts = news === null ? [] : [news];
  if (record === null) return undefined;
  const link = links.record(record);
  if (finding !== null) return itemOfFinding(finding, { showsTitle, link, news: facts });
  return { severity: null, title: showsTitle ? record.title : untitled(record), facts, link };
}
