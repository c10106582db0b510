import { sound, weak, type WebCheck } from '../../check';

/** A file that must not be public, and how its first bytes are recognised. */
export interface Download {
  readonly path: string;
  /** What the file is, when it is that. */
  readonly recognise: (start: Buffer) => string | null;
}

/** A dump or a log may be larger than any answer is allowed to be, and its beginning says what it is. */
const LOOKED_AT = 16_384;
const BEGINNING = [
  ['Range', `bytes=0-${LOOKED_AT - 1}`],
  ['Accept-Encoding', 'identity'],
] as const;

type About = Omit<WebCheck, 'on' | 'selfEvident' | 'observe'>;

/** As `exposedFile`, for files that are large or binary: only their beginning is asked for. */
export function exposedDownload(about: About, filesOf: (host: string) => readonly Download[]): WebCheck {
  return {
    ...about,
    on: 'origin',
    selfEvident: true,
    async observe({ target, probe }) {
      const files = filesOf(target.host);
      for (const { path, recognise } of files) {
        const { status, body } = await probe.http({ path, headers: BEGINNING });
        const found = status === 200 || status === 206 ? recognise(body.subarray(0, LOOKED_AT)) : null;
        if (found !== null) return weak(`${path} is public: ${found}.`);
      }
      return sound(`${files.map(({ path }) => path).join(', ')}: not there`);
    },
  };
}
