import { dayOf } from '../../../kernel/day';
import type { FindingDetails } from '../../findings';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');

/** Longer than any run of backticks in the text, so that nothing in it ends the block. */
const fenceOf = (text: string): string =>
  '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));

/** The description, and what people have written beside it. Evidence that a person pasted says who did. */
export function writtenText(
  { md, html, texts }: Pick<FindingDetails, 'md' | 'html' | 'texts'>,
  nameOf: (userId: number) => string,
): Pick<FindingDetails, 'md' | 'html'> {
  if (texts === null) return { md, html };
  const parts = [
    { md: md ?? '', html: html ?? '' },
    ...(texts.remediationMd === null
      ? []
      : [
          {
            md: `### How to fix it\n\n${texts.remediationMd}`,
            html: `<h3>How to fix it</h3>\n${texts.remediationHtml ?? ''}`,
          },
        ]),
    ...(texts.evidence === null ? [] : [pastedEvidence(texts, texts.evidence, nameOf)]),
  ].filter((part) => part.md !== '');
  if (parts.length === 0) return { md, html };
  return { md: parts.map((part) => part.md).join('\n\n'), html: parts.map((part) => part.html).join('\n') };
}

function pastedEvidence(
  { evidenceBy, evidenceAt }: NonNullable<FindingDetails['texts']>,
  evidence: string,
  nameOf: (userId: number) => string,
): Record<'md' | 'html', string> {
  const name = evidenceBy === null ? 'a person' : nameOf(evidenceBy);
  const heading = `Pasted by ${name}${evidenceAt === null ? '' : ` on ${dayOf(evidenceAt)}`}`;
  const fence = fenceOf(evidence);
  return {
    // The name is a text of a person, and no markup.
    md: `### ${heading.replace(/[\\`*_[\]<>#|~]/g, '\\$&')}\n\n${fence}\n${evidence}\n${fence}`,
    html: `<h3>${escaped(heading)}</h3>\n<pre><code>${escaped(evidence)}</code></pre>`,
  };
}
