import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { invalid } from '../../kernel/domain-error';
import { type FileResult, type LoadedLibrary, LibraryLoader, type TemplateFile } from '../../modules/checks';
import type { Config } from '../../platform/config/load-config';
import { lineOf } from './check-template';
import { PayloadFolder } from './payload-folder';
import { runWithModules } from './run-in-domain';
import { templateFilesAt } from './template-files';

const MOST_FILES = 20_000;
/** A template has at most 65,536 characters, of at most 4 bytes. */
const LARGEST_FILE = 262_144;
/** The folder is in memory as a whole, because an id may be in any two of its files. */
const LARGEST_FOLDER = 256 * 2 ** 20;

export interface LoadedTemplates {
  readonly text: string;
  readonly files: number;
  readonly refused: number;
}

/** Loads the templates of a folder and prints the result of each file. */
export async function loadTemplates(config: Config, path: string, retire: boolean): Promise<LoadedTemplates> {
  const files = await readFiles(path);
  const loaded = await runWithModules(config, (app) => app.get(LibraryLoader).load(files, { retire, via: 'cli' }));
  const refused = loaded.files.filter(({ outcome }) => outcome === 'refused').length;
  return { text: reportOf(loaded), files: loaded.files.length, refused };
}

async function readFiles(path: string): Promise<TemplateFile[]> {
  const names = await templateFilesAt(path);
  if (names.length === 0) throw invalid(`${path} has no files with the ending .yaml or .yml.`);
  if (names.length > MOST_FILES)
    throw invalid(
      `${path} has ${names.length} templates, and at most ${MOST_FILES} are loaded at a time. Load its folders one by one.`,
    );
  const payloads = await PayloadFolder.at(path);
  const files: TemplateFile[] = [];
  let bytes = 0;
  for (const name of names) {
    const { size } = await stat(name);
    if (size > LARGEST_FILE) {
      files.push({ name, problem: `the file has ${size} bytes; a template has at most ${LARGEST_FILE}` });
      continue;
    }
    bytes += size;
    if (bytes > LARGEST_FOLDER)
      throw invalid(`${path} has more than ${LARGEST_FOLDER / 2 ** 20} MiB of templates. Load its folders one by one.`);
    files.push(await fileOf(name, await readFile(name), payloads));
  }
  return files;
}

async function fileOf(name: string, content: Buffer, payloads: PayloadFolder): Promise<TemplateFile> {
  if (!isUtf8(content)) return { name, problem: 'the file is not UTF-8' };
  const { source, notes } = await payloads.fill(name, new TextDecoder().decode(content));
  return { name, source, unread: notes };
}

/** Columns of the length of the longest outcome. */
const WIDTH = 'new version'.length;

function linesOf({ name, outcome, check, notes }: FileResult): string[] {
  const head = `${outcome.padEnd(WIDTH)}  ${name}`;
  if (check === null) return [head, ...notes.map(lineOf)];
  const { id, version, missingValues, unsafeMethods } = check;
  return [
    `${head}: http:${id}, version ${version}`,
    ...(missingValues.length === 0 ? [] : [`  not in jobs: needs values for ${missingValues.join(', ')}`]),
    ...(unsafeMethods.length === 0 ? [] : [`  not in jobs: sends ${unsafeMethods.join(', ')}`]),
  ];
}

function reportOf({ files, retired }: LoadedLibrary): string {
  const count = (outcome: FileResult['outcome']): number => files.filter((file) => file.outcome === outcome).length;
  const inJobs = files.filter(
    ({ check }) => check !== null && check.missingValues.length + check.unsafeMethods.length === 0,
  ).length;
  const counts = [
    `${count('new')} new`,
    `${count('new version')} new versions`,
    ...(count('restored') > 0 ? [`${count('restored')} restored`] : []),
    `${count('unchanged')} unchanged`,
    `${count('refused')} refused`,
    ...(retired.length > 0 ? [`${retired.length} retired`] : []),
  ];
  const lines = [
    ...files.flatMap(linesOf),
    ...retired.map((id) => `${'retired'.padEnd(WIDTH)}  http:${id}`),
    '',
    `${files.length} files: ${counts.join(', ')}. Jobs can run ${inJobs} of them.`,
  ];
  return `${lines.join('\n')}\n`;
}
