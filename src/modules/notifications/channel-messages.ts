import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { type NotifiedFinding, NotifiedFindingsRepository } from '../findings';
import type { Channel } from './data/channel.entity';
import { NotificationSettingsRepository } from './data/notification-settings.repository';
import { TEST_TYPE } from './domain/channel-vocabulary';
import { findingIdOf, linkOf, newsOf, recordOf, titleOf, type NotifiedEntry } from './domain/entry-news';
import { portalLinks, type PortalLinks } from './domain/links';
import { itemOfFinding, MAX_ITEMS, type Message, type MessageItem } from './domain/message';

/** Why several changes are in one message. */
export type Bundle = 'digest' | 'limit' | null;

/** Writes the messages of a channel, with the findings as they are now. */
@Injectable()
export class ChannelMessages {
  constructor(
    private readonly findings: NotifiedFindingsRepository,
    private readonly settings: NotificationSettingsRepository,
    private readonly config: Config,
  ) {}

  async messageFor(
    { id, organizationId, kind, digest, name }: Channel,
    organization: string,
    entries: readonly NotifiedEntry[],
    bundle: Bundle,
  ): Promise<Message> {
    const links = portalLinks(portalUrl(this.config), organizationId);
    if (entries[0]?.type === TEST_TYPE) return testMessage(name, organization, links.channel(id));
    const showsTitle = kind !== 'mail' || (await this.settings.hasMailTitlesOfVisible(organizationId));
    const newest = newestOfEach(entries);
    const ids = newest.flatMap((entry) => findingIdOf(entry) ?? []);
    const findings = new Map((await this.findings.listOfVisible(organizationId, ids)).map((one) => [one.id, one]));
    const items = newest.map((entry) => itemOf(entry, findings, { links, showsTitle }));
    return {
      heading: headingOf(newest, bundle, digest),
      organization,
      items: items.slice(0, MAX_ITEMS),
      more: Math.max(0, items.length - MAX_ITEMS),
      link: links.home,
    };
  }
}

const testMessage = (name: string, organization: string, link: string): Message => ({
  heading: 'Test',
  organization,
  items: [{ severity: null, title: name, facts: ['Changes that this channel selects arrive here.'], link }],
  more: 0,
  link,
});

function headingOf(newest: readonly NotifiedEntry[], bundle: Bundle, digest: Channel['digest']): string {
  const [first] = newest;
  const count = newest.length === 1 ? '1 change' : `${newest.length} changes`;
  if (bundle === 'digest') return `${digest === 'weekly' ? 'Weekly' : 'Daily'} digest: ${count}`;
  if (bundle === 'limit') return `${newest.length} more`;
  return first === undefined ? '' : newsOf(first);
}

function itemOf(
  entry: NotifiedEntry,
  findings: ReadonlyMap<number, NotifiedFinding>,
  { links, showsTitle }: { readonly links: PortalLinks; readonly showsTitle: boolean },
): MessageItem {
  const findingId = findingIdOf(entry);
  const finding = findingId === undefined ? undefined : findings.get(findingId);
  const news = [newsOf(entry)];
  if (finding !== undefined) return itemOfFinding(finding, { showsTitle, link: links.finding(finding.id), news });
  const severity = SEVERITIES.find((one) => one === entry.data['severity']) satisfies Severity | undefined;
  return { severity: severity ?? null, title: titleOf(entry), facts: news, link: linkOf(entry, links) };
}

/** The last change of each record, in the order of these changes. */
function newestOfEach(entries: readonly NotifiedEntry[]): NotifiedEntry[] {
  const byRecord = new Map<string, NotifiedEntry>();
  for (const entry of entries) {
    byRecord.delete(recordOf(entry));
    byRecord.set(recordOf(entry), entry);
  }
  return [...byRecord.values()];
}
