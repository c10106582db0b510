import { notVulnerable, type Observation, vulnerable, type WebCheck } from '../../check';
import { everyAnswer } from '../../page';
import type { Target } from '../../target';
import type { HttpAnswer } from '../../transport/http';

/** A path that must not be public, and how its content is recognized; a status alone is never proof. */
export interface ExposedFile {
  readonly path: string;
  /** A description of the content, or null if it is something else. */
  readonly identify: (text: string) => string | null;
  /** Whether the content is of this kind but contains nothing worth hiding. */
  readonly isHarmless?: (text: string) => boolean;
  /** Whether the content can only be recognized as a whole, and in linear time, such as JSON. */
  readonly whole?: boolean;
}

/** Enough to recognize any of the files. An expression on megabytes would take too long. */
const SEARCHED_CHARACTERS = 65_536;

/** Ends at the last complete line, because half a line may have another format. */
function beginningOf(text: string): string {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  return text.length <= SEARCHED_CHARACTERS ? text : start.slice(0, start.lastIndexOf('\n') + 1) || start;
}

/** Some servers redirect from `/status` to `/status/`, or from there to a language. */
export const MAX_FILE_REDIRECTS = 2;

/** The detail for a public file. It mentions the status if that contradicts the content. */
export const isPublic = (path: string, { status }: HttpAnswer, found: string): Observation =>
  vulnerable(
    status >= 200 && status < 300
      ? `${path} is public: ${found}.`
      : `${path} is public, although the response has the status ${status}: ${found}.`,
  );

/** The path of a file in the tested folder, which is usually the root. */
export const pathIn = ({ path: folder }: Target, path: string): string => `${folder.slice(0, -1)}${path}`;

type About = Omit<WebCheck, 'on' | 'selfEvident' | 'shows' | 'observe'>;

const searchedText = ({ whole = false }: ExposedFile, { text }: HttpAnswer): string =>
  whole ? text : beginningOf(text);

/** A check for files that a server should not return: vulnerable if any of them has its expected content. */
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
