import { commandFor, type Explanation, type GateResult, safeLine } from '../../sdk/src';

const MAX_TEXT = 500;

/** Text of others: no Markdown, no HTML, and neither a link, a mention of somebody nor of an issue. */
export function plain(text: unknown, length = MAX_TEXT): string {
  const letters = Array.from(safeLine(text));
  const shown = letters.length > length ? [...letters.slice(0, length), '…'] : letters;
  return shown
    .map((letter) => (/[\p{L}\p{N} ]/u.test(letter) ? letter : `&#${letter.codePointAt(0)};`))
    .join('')
    .replaceAll(/&#(?:35|58|64);/g, '$&<!-- -->');
}

/** Only addresses that cannot end a link. */
const linked = (text: string, url: unknown): string =>
  typeof url === 'string' && /^https?:\/\/[\w.:/[\]-]+$/.test(url) ? `[${text}](${url})` : text;

interface Shown {
  readonly url: string;
  readonly uuid: string | undefined;
  readonly result: GateResult;
  readonly scan: string;
  readonly explanations: ReadonlyMap<number, Explanation>;
}

/** The result as the summary of the step and the comment in the pull request show it. */
export function markdownOf({ url, uuid, result, scan, explanations }: Shown): string {
  if (result.gate === 'unknown')
    return [
      '### Assay: no result',
      `${plain(result.reason)} ${scan === 'canceled' ? 'The scan is canceled.' : scan === 'running' ? 'The scan goes on.' : ''}`,
      'Nothing is known, so this step failed.',
    ].join('\n\n');
  const { success, status } = result;
  const findings = success.failing_findings ?? [];
  const incomplete = success.incomplete_checks ?? [];
  const parts = [
    `### Assay: ${result.gate === 'passed' ? 'passed' : 'failed'}`,
    `${plain(url)}: ${plain(success.description)}`,
    `Scan ${plain(uuid)}, ${plain(status)}. ${incomplete.length === 0 ? 'All checks are complete.' : `${incomplete.length} incomplete: ${plain(incomplete.map(({ id }) => id).join(', '))}.`}`,
  ];
  if (findings.length > 0) {
    const rows = findings.map((one) => {
      const title = linked(plain(one.title), one.url);
      return `| ${plain(one.severity)} | ${one.proved ? 'proved' : 'claimed'} | ${title} | ${plain(one.place)} |`;
    });
    parts.push(['| Severity | Belief | Finding | Where |', '| --- | --- | --- | --- |', ...rows].join('\n'));
    const details = findings.flatMap((one) => {
      const { proved, fix } = explanations.get(one.id) ?? {};
      const lines = [
        ...(proved === undefined ? [] : [`  - Proved: ${plain(proved)}`]),
        ...(fix === undefined ? [] : [`  - How to fix it: ${plain(fix)}`]),
      ];
      return lines.length === 0 ? [] : [`- ${plain(one.title)}`, ...lines];
    });
    if (details.length > 0) parts.push(details.join('\n'));
    const hidden = (success.failing ?? 0) - findings.length;
    if (hidden > 0) parts.push(`And ${hidden} more.`);
    const command = commandFor(url, findings);
    if (command !== undefined) parts.push(`To repeat these tests:\n\n\`\`\`sh\n${command}\n\`\`\``);
  }
  return parts.join('\n\n');
}
