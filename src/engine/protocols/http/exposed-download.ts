import { notVulnerable, type WebCheck } from '../../check';
import { everyAnswer } from '../../page';
import { isPublic, MAX_FILE_REDIRECTS, pathIn } from './exposed-file';

/** A dump or a log may exceed the limit for responses. Its beginning is enough to identify it. */
const BEGINNING_BYTES = 16_384;
const RANGE_HEADERS = [
  ['Range', `bytes=0-${BEGINNING_BYTES - 1}`],
  ['Accept-Encoding', 'identity'],
] as const;

type About = Omit<WebCheck, 'on' | 'selfEvident' | 'observe'>;

/**
 * Like `exposedFile`, for large or binary files: it only requests their beginning. `identify` describes the file by its
 * beginning, or returns null.
 */
export function exposedDownload(
  about: About,
  pathsOn: (host: string) => readonly string[],
  identify: (start: Buffer) => string | null,
): WebCheck {
  return {
    ...about,
    on: 'origin',
    selfEvident: true,
    async observe({ target, probe }) {
      const paths = pathsOn(target.host).map((path) => pathIn(target, path));
      for (const path of paths) {
        const page = await probe.http({
          path,
          headers: RANGE_HEADERS,
          hops: MAX_FILE_REDIRECTS,
          reach: 'origin',
        });
        for (const answer of everyAnswer(page)) {
          const found = identify(answer.body.subarray(0, BEGINNING_BYTES));
          if (found !== null) return isPublic(path, answer, found);
        }
      }
      return notVulnerable(`${paths.join(', ')}: not there`);
    },
  };
}
