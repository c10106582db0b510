import type { ScannerFinding } from '../../../scanner-files';

type Described = Pick<
  ScannerFinding,
  'scanner' | 'ruleId' | 'description' | 'remediation' | 'references' | 'evidence' | 'parameter' | 'cves'
>;

const MAX_LINES = 60;
const MAX_LINE_LENGTH = 1_000;
const MAX_PART_LENGTH = 8_000;
const MAX_REFERENCES = 20;

/** What a scanner wrote as Markdown that shows it as it is: none of it becomes markup. */
const plain = (text: string): string =>
  text
    .slice(0, MAX_PART_LENGTH)
    .split(/\r\n|\r|\n/u)
    .map((line) =>
      line
        .trim()
        .replace(/[\\`*_[\]<>#|~&!]/gu, '\\$&')
        .replace(/^([-+=]|\d{1,9}(?=[.)]))/u, (start) => (/\d/u.test(start) ? `${start}\\` : `\\${start}`)),
    )
    .join('\n')
    .trim();

/** An indented code block: no line of it can end the block. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/u)
    .slice(0, MAX_LINES)
    .map((line) => `    ${line.slice(0, MAX_LINE_LENGTH).replace(/[\p{Cc}]/gu, '\uFFFD')}`)
    .join('\n');

const part = (title: string, text: string | null): string[] =>
  text === null || text.trim() === '' ? [] : [title, text];

/** The Markdown of a finding that a scanner saw first. */
export function textOfResult(
  { scanner, ruleId, description, remediation, references, evidence, parameter, cves }: Described,
  location: string | null,
): string {
  const links = references.slice(0, MAX_REFERENCES).filter((text) => text.trim() !== '');
  return [
    ...(description === null || description.trim() === '' ? [] : [plain(description)]),
    ...part('Seen at', location === null ? null : quoted(location)),
    ...part('Parameter', parameter === null ? null : quoted(parameter)),
    ...part(
      'which showed',
      evidence === null || evidence.trim() === '' ? null : quoted(evidence.slice(0, MAX_PART_LENGTH)),
    ),
    ...part('What to do', remediation === null ? null : plain(remediation)),
    ...(cves.length > 1 ? [plain(`Also: ${cves.slice(1, 21).join(', ')}`)] : []),
    ...part(
      'References',
      links.length === 0 ? null : links.map((text) => `- ${plain(text.replace(/\s+/gu, ' '))}`).join('\n'),
    ),
    `Reported by ${plain(scanner)} as ${plain(ruleId)}. An imported finding is not tested yet.`,
  ].join('\n\n');
}
