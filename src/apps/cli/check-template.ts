import { readFile } from 'node:fs/promises';
import { inspectTemplate, type TemplateInspection, type TemplateNote } from '../../engine';
import { invalid } from '../../kernel/domain-error';
import { PayloadFolder } from './payload-folder';
import { templateFilesAt } from './template-files';

interface CheckedTemplate {
  readonly file: string;
  readonly inspection: TemplateInspection;
}

const namesIn = (notes: readonly TemplateNote[]): string => [...new Set(notes.map(({ text }) => text))].join(', ');

const placesIn = (notes: readonly TemplateNote[]): string => [...new Set(notes.map(({ place }) => place))].join(', ');

/** A line of the output below the line of its file. */
export function lineOf({ line, place, text }: TemplateNote): string {
  const separator = /^(?:is not supported|sends )/.test(text) ? ' ' : ': ';
  return `  line ${line}: ${place === '' ? text : `${place}${separator}${text}`}`;
}

function linesOf({ file, inspection }: CheckedTemplate): string[] {
  const { id, refusals, missing, unsafe, outOfBand, requests } = inspection;
  if (refusals.length > 0) return [`refused  ${file}`, ...refusals.map(lineOf)];
  const [needed, changing, unknown] = [missing[0], unsafe[0], outOfBand[0]];
  return [
    `${needed === undefined ? 'runs ' : 'needs'}    ${file}: ${id}, ${requests} ${requests === 1 ? 'request' : 'requests'}`,
    ...(needed === undefined
      ? []
      : [`  line ${needed.line}: needs values for ${namesIn(missing)}; state them under "variables"`]),
    ...(changing === undefined
      ? []
      : [`  line ${changing.line}: sends ${namesIn(unsafe)}; an admin must allow it for each finding (allow_unsafe)`]),
    ...(unknown === undefined
      ? []
      : [
          `  line ${unknown.line}: ${placesIn(outOfBand)}: not known without a server for out-of-band requests; without a match the result is inconclusive`,
        ]),
  ];
}

/** The field and the reason, without what differs between templates. */
const causeOf = ({ place, text }: TemplateNote): string => {
  const field = place
    .replaceAll(/\[\d+\]/g, '')
    .split('.')
    .slice(0, 3)
    .join('.');
  const reason = text.replaceAll(/\{\{[^{}]*\}\}|"[^"]*"|\b\d+\b/g, '…').split(/[:;]/, 1)[0] ?? '';
  return `${field} ${reason}`.trim();
};

function summaryOf(templates: readonly CheckedTemplate[]): string[] {
  const refused = templates.filter(({ inspection }) => inspection.refusals.length > 0);
  const counts = new Map<string, number>();
  for (const cause of refused.flatMap(({ inspection }) => [...new Set(inspection.refusals.map(causeOf))]))
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  const count = (select: (inspection: TemplateInspection) => readonly unknown[]): number =>
    templates.filter(({ inspection }) => select(inspection).length > 0).length;
  const needing = count(({ missing }) => missing);
  const running = templates.length - refused.length - needing;
  return [
    '',
    `${templates.length} templates: ${running} run, ${needing} need values, ${refused.length} are refused. ${count(({ unsafe }) => unsafe)} change state.`,
    ...[...counts]
      .sort(([, one], [, other]) => other - one)
      .map(([cause, number]) => `${String(number).padStart(6)}  ${cause}`),
  ];
}

export interface TemplateReport {
  readonly text: string;
  readonly templates: number;
  readonly refused: number;
}

/** Says for each template what runs and what does not, with the line. */
export async function checkTemplates(path: string): Promise<TemplateReport> {
  const files = await templateFilesAt(path);
  if (files.length === 0) throw invalid(`${path} has no files with the ending .yaml or .yml.`);
  const payloads = await PayloadFolder.at(path);
  const templates: CheckedTemplate[] = [];
  for (const file of files) {
    const { source, notes } = await payloads.fill(file, await readFile(file, 'utf8'));
    templates.push({ file, inspection: inspectTemplate(source, notes) });
  }
  const lines = [...templates.flatMap(linesOf), ...summaryOf(templates)];
  const refused = templates.filter(({ inspection }) => inspection.refusals.length > 0).length;
  return { text: `${lines.join('\n')}\n`, templates: templates.length, refused };
}
