import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { decodedEntities } from '../../protocols/http/entities';
import { type Experiment, type Oracle, randomWord } from '../experiment';
import type { Outcome } from '../outcome';
import { isHeads } from './conditions';
import { proveExistence } from './file-existence';
import { ODDS, DECISIVE_ANSWERS } from './follow-conditions';
import { firstProof, JudgedAnswers, type Reader } from './variants';

/**
 * A file that no account can write or replace: a page may open its parameter for writing. Nobody can create a name next to
 * it either, so that the sibling, too, does nothing there.
 */
interface KnownFile {
  /** Below the root. */
  readonly path: string;
  /** A name that does not exist and that nobody can create. */
  sibling(turn: number): string;
  /** Where its text begins. */
  readonly mark: string;
  readonly grammar: RegExp;
}

/** The kernel makes it. A search that ignores signs finds the same texts for every second sibling. */
const LINUX: KnownFile = {
  path: 'proc/version',
  sibling: (turn) => `proc/version${turn % 2 === 0 ? ',' : `-${randomWord()}`}`,
  mark: 'Linux version ',
  grammar: /^Linux version \d{1,2}\.\d{1,3}\.\d[\w.+~-]{0,80} [^\n<]{0,400}#\d{1,6}[\w.~-]{0,40} [A-Z]/,
};

/** Only root writes it. For filters that know the usual names. */
const RELEASE: KnownFile = {
  path: 'usr/lib/os-release',
  sibling: () => `usr/lib/os-release/${randomWord()}`,
  mark: 'NAME="',
  grammar: /^NAME="[^"\n<]{1,80}"\r?\n(?:[A-Z_]{2,30}=[^\n<]{0,200}\r?\n){2}/,
};

/** Owned by the installer, which alone may write it; administrators could write `win.ini`. A file has no names below it. */
const WINDOWS: KnownFile = {
  path: 'Windows/System32/license.rtf',
  sibling: () => `Windows/System32/license.rtf/${randomWord()}`,
  mark: 'rtf1',
  grammar: /^rtf1[^<]{0,200}\\(?:ansi|deff|fonttbl)/,
};

const UP = '../'.repeat(12);
const LONGEST = 1_500;

/** File systems ignore further slashes. A search for texts that contain the path does not. */
const withSlashes = (path: string): string => path.replaceAll('/', () => '/'.repeat(randomInt(2, 5)));

const encodedOnce = (value: string): string => encodeURIComponent(value).replaceAll('.', '%2e');

type Write = (path: string, original: string) => string;

const extensionOf = (original: string): string => /\.\w{1,5}$/.exec(original)?.[0] ?? '.html';
const folderOf = (original: string): string => /^.*[/\\]/.exec(original)?.[0] ?? '';

interface Variant {
  readonly file: KnownFile;
  readonly write: Write;
  /** Only for values with a folder. */
  readonly needsFolder?: boolean;
}

/** By their names, which findings keep. */
const VARIANTS: ReadonlyMap<string, Variant> = new Map(
  Object.entries({
    relative: { file: LINUX, write: (path) => `${UP}${path}` },
    absolute: { file: LINUX, write: (path) => `/${path}` },
    // The application puts it behind the name of a folder.
    'behind a slash': { file: LINUX, write: (path) => `/${UP}${path}` },
    'in the folder': { file: LINUX, write: (path, original) => `${folderOf(original)}${UP}${path}`, needsFolder: true },
    'dots that a filter leaves': { file: LINUX, write: (path) => `${'....//'.repeat(12)}${path}` },
    'encoded once more': { file: LINUX, write: (path) => encodedOnce(`${UP}${path}`) },
    'before a null byte': { file: LINUX, write: (path, original) => `${UP}${path}\0${extensionOf(original)}` },
    'file URL': { file: LINUX, write: (path) => `file:///${path}` },
    'Windows, relative': { file: WINDOWS, write: (path) => `${UP}${path}` },
    'Windows, backslashes': { file: WINDOWS, write: (path) => `${UP}${path}`.replaceAll('/', '\\') },
    'Windows, absolute': { file: WINDOWS, write: (path) => `C:/${path}` },
  } satisfies Record<string, Variant>),
);

const FURTHER_VARIANTS: ReadonlyMap<string, Variant> = new Map(
  Object.entries({
    'another file, relative': { file: RELEASE, write: (path) => `${UP}${path}` },
    'another file, absolute': { file: RELEASE, write: (path) => `/${path}` },
    'three folders up': { file: LINUX, write: (path) => `../../../${path}` },
    'encoded twice more': { file: LINUX, write: (path) => encodeURIComponent(encodedOnce(`${UP}${path}`)) },
    'behind a dot': { file: LINUX, write: (path) => `./${UP}${path}` },
  } satisfies Record<string, Variant>),
);

const contentOf =
  ({ mark, grammar }: KnownFile): Reader =>
  ({ text }: Page) => {
    const at = text.indexOf(mark);
    const start = at < 0 ? '' : decodedEntities(text.slice(at, at + LONGEST));
    return grammar.exec(start)?.[0].slice(0, 200) ?? null;
  };

/** Before paths of the root, where the answer only tells whether the file exists. */
const EXISTENCE: ReadonlyMap<string, string> = new Map([
  ['existence, relative', UP],
  ['existence, absolute', '/'],
]);

const DRAWN = `${DECISIVE_ANSWERS} times one of two names was drawn at random, that of a file of the system or one that cannot exist. Each answer had the text of the file or not, as the name said. The chance of that is ${ODDS}.`;
/** A repeat draws nothing: its finding has the proof. */
const REPEATED =
  'Two answers had the text of the file, and one for a name that cannot exist did not. The names were not drawn at random, as they were when the weakness was found.';

async function prove(name: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const prefix = EXISTENCE.get(name);
  if (prefix !== undefined) return proveExistence(name, prefix, experiment, answers);
  const variant = VARIANTS.get(name) ?? FURTHER_VARIANTS.get(name);
  if (variant === undefined) return null;
  const { file } = variant;
  const write: Write = (path, value) => variant.write(withSlashes(path), value);
  const { value: original, name: parameter } = experiment.point;
  const read = contentOf(file);
  const shown = (): Promise<string | null> =>
    answers.shows(write(file.path, original), `the text of /${file.path}`, read);
  let siblings = 0;
  const isAbsent = (): Promise<boolean> =>
    answers.lacks(write(file.sibling((siblings += 1)), original), 'control: a name that cannot exist', read);
  if ((await shown()) === null || !(await isAbsent())) return null;
  for (let choice = 0; choice < (experiment.isRepeat ? 0 : DECISIVE_ANSWERS); choice += 1) {
    const follows = isHeads() ? (await shown()) !== null : await isAbsent();
    if (!follows) return null;
  }
  const text = await shown();
  if (text === null) return null;
  return {
    state: 'proved',
    detail: `The value of ${parameter} is opened as a file: the answer has the text of /${file.path} (${text}).`,
    certainty: experiment.isRepeat ? REPEATED : DRAWN,
    variant: name,
  };
}

/** Proves that a value is opened as a file: its answer is a file of the system that nobody can write. */
export const pathTraversal: Oracle = {
  observe(experiment) {
    const answers = new JudgedAnswers(experiment);
    const hasFolder = folderOf(experiment.point.value) !== '';
    return firstProof(experiment, answers, {
      candidates: () =>
        Promise.resolve([
          ...[...VARIANTS].filter(([, one]) => !one.needsFolder || hasFolder).map(([name]) => name),
          ...EXISTENCE.keys(),
        ]),
      further: [...FURTHER_VARIANTS.keys()],
      prove: (name) => prove(name, experiment, answers),
      otherwise: 'no answer follows the files of the system',
    });
  },
};
