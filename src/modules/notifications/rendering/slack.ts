import { capitalized } from '../../../kernel/capitalized';
import type { Severity } from '../../../kernel/severity';
import { type Message, type MessageItem, moreText, subjectOf } from '../domain/message';

/** The limit of Slack for a header. */
const MAX_HEADER = 150;

const SQUARES: Readonly<Record<Severity, string>> = {
  cosmic: '🟥',
  critical: '🟥',
  high: '🟧',
  medium: '🟨',
  low: '🟦',
  info: '⬜',
  none: '⬜',
};

/** The body of a Slack incoming webhook, with Block Kit. At most 43 blocks. */
export const slackOf = (message: Message): object => ({
  text: escape(`${subjectOf(message)} (${message.organization})`),
  blocks: [
    { type: 'header', text: plain(message.heading, MAX_HEADER) },
    context(message.organization),
    ...message.items.flatMap(blocksOf),
    ...(message.more > 0
      ? [{ type: 'section', text: { type: 'mrkdwn', text: `<${message.link}|${moreText(message.more)}>` } }]
      : []),
  ],
});

const blocksOf = ({ severity, title, facts, link }: MessageItem): object[] => {
  const badge = severity === null ? '' : `${SQUARES[severity]} ${capitalized(severity)}  `;
  return [
    { type: 'section', text: { type: 'mrkdwn', text: `${badge}*<${link}|${escape(title)}>*` } },
    context(facts.join('  ·  ')),
  ];
};

const plain = (text: string, max: number) => ({ type: 'plain_text', text: text.slice(0, max), emoji: false });

const context = (text: string) => ({ type: 'context', elements: [plain(text, 1_900)] });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** So that text of people is no link, mention or emphasis. A zero-width space keeps the characters of emphasis apart from words. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '').replaceAll(/[*_~`|]/g, '\u200B$&');
