import { capitalized } from '../../../kernel/capitalized';
import type { Severity } from '../../../kernel/severity';
import {
  bodyWithin,
  cut,
  MAX_HEADING,
  MAX_TEXT,
  type Message,
  type MessageItem,
  moreText,
  subjectOf,
} from '../domain/message';

/** Slack refuses about 13,000 characters of all blocks together, and 3,000 of a section. */
const MAX_BODY_BYTES = 12_000;

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
export const slackOf = (message: Message): string => bodyWithin(MAX_BODY_BYTES, message, blocks);

const blocks = (message: Message): object => ({
  text: escape(`${subjectOf(message)} (${message.organization})`),
  blocks: [
    { type: 'header', text: plain(message.heading, MAX_HEADING) },
    context(message.organization, MAX_HEADING),
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
    context(facts.join('  ·  '), 2 * MAX_TEXT),
  ];
};

const plain = (text: string, max: number) => ({ type: 'plain_text', text: cut(text, max), emoji: false });

const context = (text: string, max: number) => ({ type: 'context', elements: [plain(text, max)] });

/** Makes text of people no link, mention or emphasis. A zero-width space keeps the characters of emphasis apart from words. */
const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  ...Object.fromEntries(['*', '_', '~', '`', '|'].map((character) => [character, `\u200B${character}`])),
};

const escape = (text: string): string => cut(text, MAX_TEXT, (character) => ESCAPED[character] ?? character);
