import { capitalized } from '../../../kernel/capitalized';
import type { Severity } from '../../../kernel/severity';
import { bodyWithin, cut, MAX_HEADING, MAX_TEXT, type Message, type MessageItem, moreText } from '../domain/message';

/** Teams refuses more than 28 KB. */
const MAX_BODY_BYTES = 26_000;

const COLORS: Readonly<Record<Severity, string>> = {
  cosmic: 'Attention',
  critical: 'Attention',
  high: 'Warning',
  medium: 'Warning',
  low: 'Accent',
  info: 'Default',
  none: 'Default',
};

/** The body of a workflow of Teams that posts an adaptive card. Text of people is in text runs, which have no Markdown. */
export const teamsOf = (message: Message): string => bodyWithin(MAX_BODY_BYTES, message, card);

const card = (message: Message): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        msteams: { width: 'Full' },
        body: [
          line([{ text: cut(message.organization, MAX_HEADING), isSubtle: true, size: 'Small' }]),
          line([{ text: cut(message.heading, MAX_HEADING), weight: 'Bolder', size: 'Large' }], 'None'),
          ...message.items.map(containerOf),
          ...(message.more > 0 ? [line([{ text: moreText(message.more), selectAction: open(message.link) }])] : []),
        ],
        actions: [
          {
            ...open(message.items.length === 1 ? (message.items[0]?.link ?? message.link) : message.link),
            title: 'Open in Assay',
          },
        ],
      },
    },
  ],
});

const containerOf = ({ severity, title, facts, link }: MessageItem): object => ({
  type: 'Container',
  separator: true,
  spacing: 'Medium',
  items: [
    line([
      ...(severity === null ? [] : [{ text: `${capitalized(severity)}  `, weight: 'Bolder', color: COLORS[severity] }]),
      { text: cut(title, MAX_TEXT), weight: 'Bolder', selectAction: open(link) },
    ]),
    ...facts.map((fact) => line([{ text: cut(fact, MAX_TEXT), isSubtle: true }], 'None')),
  ],
});

const open = (url: string) => ({ type: 'Action.OpenUrl', url });

const line = (runs: readonly object[], spacing = 'Default'): object => ({
  type: 'RichTextBlock',
  spacing,
  inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
});
