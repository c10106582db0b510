import type { ScannerFinding } from '../../../scanner-files';
import type { Markdown } from '../../findings';

type Described = Pick<
  ScannerFinding,
  'scanner' | 'ruleId' | 'description' | 'remediation' | 'references' | 'evidence' | 'parameter' | 'cves' | 'moreCves'
>;

const MAX_LINES = 60;
const MAX_LINE_LENGTH = 1_000;
const MAX_PART_LENGTH = 8_000;
const MAX_REFERENCES = 20;
const MAX_REFERENCE_LENGTH = 300;

const linesOf = (text: string): string[] =>
  text
    .slice(0, MAX_PART_LENGTH)
    .toWellFormed()
    .split(/\r\n|\r|\n/u);

const UNEVEN_SPACE = /[^\S ]|\p{Cc}| {2}/u;

/** Most lines have single spaces only. Replacing each of them would allocate most of the memory that a row takes. */
const singleLine = (text: string): string =>
  (UNEVEN_SPACE.test(text) ? text.replace(/[\s\p{Cc}]+/gu, ' ') : text).trim();

/** Splits a text into paragraphs at empty lines. */
const paragraphsOf = (text: string): string[][] => {
  const paragraphs: string[][] = [[]];
  for (const line of linesOf(text).map(singleLine)) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs.filter(({ length }) => length > 0);
};

/** Drops empty lines at both ends, as Markdown does. */
const codeOf = (text: string): string[] => {
  const lines = linesOf(text).map((line) =>
    line
      .slice(0, MAX_LINE_LENGTH)
      .toWellFormed()
      .replace(/\p{Cc}/gu, '\uFFFD')
      .trimEnd(),
  );
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return first === -1 ? [] : lines.slice(first, last + 1).slice(0, MAX_LINES);
};

/** Escapes a line so that none of it is markup. */
const escapedMarkdown = (line: string): string =>
  line
    .replace(/[\\`*_[\]<>#|~&!]/gu, '\\$&')
    .replace(/^([-+=:]|\d{1,9}(?=[.)]))/u, (start) => (/\d/u.test(start) ? `${start}\\` : `\\${start}`));

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escapedHtml = (text: string): string => text.replace(/[&<>]/gu, (character) => ENTITIES[character] ?? '');

// The functions below return parts of the text as Markdown and as the HTML that the renderer makes of it. They show the scanner's
// text unchanged.

const paragraphs = (text: string): Markdown => {
  const written = paragraphsOf(text);
  return {
    md: written.map((lines) => lines.map(escapedMarkdown).join('\n')).join('\n\n'),
    html: written.map((lines) => `<p>${lines.map(escapedHtml).join('\n')}</p>`).join('\n'),
  };
};

const code = (text: string): Markdown => {
  const lines = codeOf(text);
  return {
    md: lines.map((line) => `    ${line}`).join('\n'),
    html: `<pre><code>${lines.map(escapedHtml).join('\n')}\n</code></pre>`,
  };
};

const list = (items: readonly string[]): Markdown => ({
  md: items.map((item) => `- ${escapedMarkdown(item)}`).join('\n'),
  html: `<ul>\n${items.map((item) => `<li>${escapedHtml(item)}</li>`).join('\n')}\n</ul>`,
});

const section = (title: string, part: Markdown): Markdown[] =>
  part.md.trim() === '' ? [] : [...(title === '' ? [] : [paragraphs(title)]), part];

/**
 * The text of a finding that a scanner saw first. It contains no markup, so its HTML is made without the Markdown renderer, which
 * would take most of the time of a large import. A test compares both.
 */
export function textOfResult(
  { scanner, ruleId, description, remediation, references, evidence, parameter, cves, moreCves }: Described,
  location: string | null,
): Markdown {
  const links = references
    .slice(0, MAX_REFERENCES)
    .map((text) => singleLine(text.slice(0, MAX_REFERENCE_LENGTH).toWellFormed()))
    .filter((text) => text !== '');
  const parts: Markdown[] = [
    ...section('', paragraphs(description ?? '')),
    ...section('Seen at', code(location ?? '')),
    ...section('Parameter', code(parameter ?? '')),
    ...section('which showed', code(evidence ?? '')),
    ...section('How to fix it', paragraphs(remediation ?? '')),
    ...section(
      '',
      paragraphs(
        cves.length > 1 ? `Also: ${cves.slice(1).join(', ')}${moreCves === 0 ? '' : `, and ${moreCves} more`}` : '',
      ),
    ),
    ...section('References', list(links)),
    paragraphs(`Reported by ${singleLine(scanner)} as ${singleLine(ruleId)}.`),
  ];
  return { md: parts.map(({ md }) => md).join('\n\n'), html: `${parts.map(({ html }) => html).join('\n')}\n` };
}
