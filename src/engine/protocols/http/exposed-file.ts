import { notVulnerable, type Observation, vulnerable, type WebCheck } from '../../check';
import { everyAnswer } from '../../page';
import type { Target } from '../../target';
import type { HttpAnswer } from '../../transport/http';

/** A path that must not be public, and how its content is recognised; a status alone never shows anything. */
export interface ExposedFile {
  readonly path: string;
  /** What the content is, when it is that. */
  readonly identify: (text: string) => string | null;
  /** Whether it is the same thing without anything worth hiding, so that it may stay where it is. */
  readonly isHarmless?: (text: string) => boolean;
  /** Where it is recognised as a whole or not at all, and in linear time, as JSON is. */
  readonly whole?: boolean;
}

/** No file that is looked for needs more to be recognised, and an expression on megabytes would take its time. */
const SEARCHED_CHARACTERS = 65_536;

/** Up to the last line that is there as a whole: half a line is nothing that a file of its kind has. */
function beginningOf(text: string): string {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  return text.length <= SEARCHED_CHARACTERS ? text : start.slice(0, start.lastIndexOf('\n') + 1) || start;
}

/** Some servers send on from `/status` to `/status/`, or from there to a language. */
export const MAX_FILE_REDIRECTS = 2;

/** That a file is public; with the status, where it contradicts the content. */
export const isPublic = (path: string, { status }: HttpAnswer, found: string): Observation =>
  vulnerable(
    status >= 200 && status < 300
      ? `${path} is public: ${found}.`
      : `${path} is public, although the response has the status ${status}: ${found}.`,
  );

/** The path of a file in the folder that is tested, which is usually the root. */
export const pathIn = ({ path: folder }: Target, path: string): string => `${folder.slice(0, -1)}${path}`;

type About = Omit<WebCheck, 'on' | 'selfEvident' | 'shows' | 'observe'>;

const searchedText = ({ whole = false }: ExposedFile, { text }: HttpAnswer): string =>
  whole ? text : beginningOf(text);

/** A check for files that a server should not give away: vulnerable when any of them is what it seems. */
export function exposedFile(about: About, files: readonly ExposedFile[]): WebCheck {
  return {
    ...about,
    on: 'origin',
    selfEvident: true,
    shows(path, answer) {
      const file = files.find((one) => path.endsWith(one.path));
      return file === undefined ? null : file.identify(searchedText(file, answer));
    },
    async observe({ target, probe }) {
      const paths: string[] = [];
      for (const file of files) {
        const path = pathIn(target, file.path);
        paths.push(path);
        const page = await probe.http({ path, hops: MAX_FILE_REDIRECTS, reach: 'origin' });
        for (const answer of everyAnswer(page)) {
          const found = file.identify(searchedText(file, answer));
          if (found !== null) return isPublic(path, answer, found);
        }
        if (file.isHarmless?.(searchedText(file, page)) === true) probe.markAsGenuine(page);
      }
      return notVulnerable(`${paths.join(', ')}: not there`);
    },
  };
}
