import { notVulnerable, vulnerable, type WebCheck } from '../../check';
import { HOPS_TO_A_FILE } from './exposed-file';

/** A dump or a log may be larger than any answer is allowed to be, and its beginning says what it is. */
const LOOKED_AT = 16_384;
const BEGINNING = [
  ['Range', `bytes=0-${LOOKED_AT - 1}`],
  ['Accept-Encoding', 'identity'],
] as const;

type About = Omit<WebCheck, 'on' | 'selfEvident' | 'observe'>;

/**
 * As `exposedFile`, for files that are large or binary: only their beginning is asked for. `recognise` says what a file
 * is by that, when it is what is looked for.
 */
export function exposedDownload(
  about: About,
  pathsOn: (host: string) => readonly string[],
  recognise: (start: Buffer) => string | null,
): WebCheck {
  return {
    ...about,
    on: 'origin',
    selfEvident: true,
    async observe({ target, probe }) {
      const paths = pathsOn(target.host);
      for (const path of paths) {
        const { status, body } = await probe.http({ path, headers: BEGINNING, hops: HOPS_TO_A_FILE, reach: 'origin' });
        const found = status === 200 || status === 206 ? recognise(body.subarray(0, LOOKED_AT)) : null;
        if (found !== null) return vulnerable(`${path} is public: ${found}.`);
      }
      return notVulnerable(`${paths.join(', ')}: not there`);
    },
  };
}
