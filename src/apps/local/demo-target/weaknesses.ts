/** The weaknesses of the demo target, by the id and the title of the check that detects them. */
export const WEAKNESSES = {
  'exposed-env': 'An .env file with secrets is public',
  'exposed-git': 'A Git repository is public',
  'cors-with-credentials': 'Any site may read responses with the session of a visitor',
  'directory-listing': 'The server lists the files of a directory',
  'cookie-without-httponly': 'A session cookie can be read by scripts',
  'cookie-without-samesite': 'A session cookie is sent with requests from other sites',
  'weak-csp': 'The Content Security Policy is missing or lets any script run',
  'missing-frame-protection': 'The page can be framed by any site',
  'missing-nosniff': 'Browsers may guess the type of content',
  'server-version': 'The server reveals its version',
} as const;

export type WeaknessName = keyof typeof WEAKNESSES;

export const isWeaknessName = (text: string): text is WeaknessName => Object.hasOwn(WEAKNESSES, text);

export const weaknessNames: readonly WeaknessName[] = Object.keys(WEAKNESSES).filter(isWeaknessName);

/** The weaknesses that are not fixed. */
export type OpenWeaknesses = ReadonlySet<WeaknessName>;
