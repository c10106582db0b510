import { capitalized } from '../../../kernel/capitalized';
import { type Severity } from '../../../kernel/severity';
import type { MailText } from '../../../platform/mail/mailer';
import { type Message, type MessageItem, moreText, subjectOf } from '../domain/message';

export interface MailFrame {
  readonly to: MailText['to'];
  /** Of the settings page. */
  readonly settings: string;
  /** Turns this kind of mail off, without a sign-in. */
  readonly unsubscribe?: string;
  /** Why it was sent. */
  readonly reason: string;
}

const COLORS: Readonly<Record<Severity, string>> = {
  cosmic: '#a3123a',
  critical: '#a3123a',
  high: '#b8430e',
  medium: '#8a6100',
  low: '#1f66a3',
  info: '#576270',
  none: '#576270',
};

/** All mail about findings, retests and reports: the same words as text and as HTML. */
export function mailOf(message: Message, frame: MailFrame): MailText {
  const { unsubscribe } = frame;
  return {
    to: frame.to,
    subject: subjectOf(message),
    text: textOf(message, frame),
    html: htmlOf(message, frame),
    headers:
      unsubscribe === undefined
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  };
}

const labelOf = ({ severity, title }: MessageItem): string =>
  severity === null ? title : `${capitalized(severity)}: ${title}`;

function textOf({ heading, organization, items, more, link }: Message, frame: MailFrame): string {
  const paragraphs = [
    `${heading} (${organization})`,
    ...items.map((item) => [labelOf(item), ...item.facts.map((fact) => `  ${fact}`), `  ${item.link}`].join('\n')),
    ...(more > 0 ? [`${moreText(more)}: ${link}`] : []),
    [
      '-- ',
      frame.reason,
      `Change what you get: ${frame.settings}`,
      ...(frame.unsubscribe === undefined ? [] : [`Turn this kind of mail off: ${frame.unsubscribe}`]),
    ].join('\n'),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

function htmlOf({ heading, organization, items, more, link }: Message, frame: MailFrame): string {
  const muted = 'color:#576270;font-size:13px;line-height:20px';
  const rest =
    more > 0
      ? `<p style="margin:16px 0 0"><a href="${escape(link)}" style="color:#0f6b78">${moreText(more)}</a></p>`
      : '';
  const off =
    frame.unsubscribe === undefined
      ? ''
      : ` · <a href="${escape(frame.unsubscribe)}" style="color:#576270">Turn this kind of mail off</a>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light"><title>${escape(heading)}</title></head>
<body style="margin:0;background:#f6f7f9;color:#16202c;font:15px/22px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:600px;margin:0 auto;padding:24px 16px">
<div style="background:#ffffff;border:1px solid #dfe3e8;border-radius:8px;padding:24px">
<p style="margin:0;${muted}" dir="auto">${escape(organization)}</p>
<h1 style="margin:4px 0 0;font-size:20px;line-height:28px">${escape(heading)}</h1>
${items.map(itemHtml).join('\n')}
${rest}</div>
<p style="margin:16px 8px 0;${muted}">${escape(frame.reason)}<br>
<a href="${escape(frame.settings)}" style="color:#576270">Change what you get</a>${off}</p>
</div></body></html>
`;
}

function itemHtml({ severity, title, facts, link }: MessageItem): string {
  const badge =
    severity === null
      ? ''
      : `<span style="background:${COLORS[severity]};color:#ffffff;border-radius:4px;padding:1px 6px;font-size:12px;font-weight:600">${capitalized(severity)}</span> `;
  const lines = facts.map((fact) => `<div dir="auto" style="color:#576270;font-size:14px">${escape(fact)}</div>`);
  return `<div style="border-top:1px solid #dfe3e8;margin-top:16px;padding-top:16px;overflow-wrap:anywhere">
<div dir="auto" style="font-weight:600">${badge}<a href="${escape(link)}" style="color:#0f6b78;text-decoration:none">${escape(title)}</a></div>
${lines.join('\n')}</div>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
