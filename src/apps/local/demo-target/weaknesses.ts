import { HAS_SQLITE } from './products';

export interface Weakness {
  /** The title of the check that detects it. */
  readonly title: string;
  /** What is wrong on this server. */
  readonly about: string;
  /** Where it shows: the request line or the response header. A query becomes a form. */
  readonly where: string;
}

/** The weaknesses of the demo target, by the id of the check that detects them. */
export const WEAKNESSES = {
  'exposed-env': {
    title: 'An .env file with secrets is public',
    about: 'The configuration of the application, with its keys and passwords, can be fetched like a page.',
    where: 'GET /.env',
  },
  'exposed-git': {
    title: 'A Git repository is public',
    about: 'Tools rebuild the source code and its history from this folder.',
    where: 'GET /.git/HEAD',
  },
  'cors-with-credentials': {
    title: 'Any site may read responses with the session of a visitor',
    about:
      'The server repeats the origin of every request and allows credentials. A foreign page can read private data.',
    where: 'Access-Control-Allow-Origin',
  },
  'directory-listing': {
    title: 'The server lists the files of a directory',
    about: 'Anyone can find files that no page links to.',
    where: 'GET /uploads/',
  },
  'cookie-without-httponly': {
    title: 'A session cookie can be read by scripts',
    about: 'A script that an attacker gets into a page can steal the session.',
    where: 'Set-Cookie: … without HttpOnly',
  },
  'cookie-without-samesite': {
    title: 'A session cookie is sent with requests from other sites',
    about: 'A foreign page can send requests in the session of a visitor.',
    where: 'Set-Cookie: … without SameSite',
  },
  'weak-csp': {
    title: 'The Content Security Policy is missing or lets any script run',
    about: 'One place with unescaped input is enough to run the script of an attacker.',
    where: 'Content-Security-Policy',
  },
  'missing-frame-protection': {
    title: 'The page can be framed by any site',
    about: 'A foreign page can lay this page under its own buttons and catch the clicks of visitors.',
    where: 'X-Frame-Options',
  },
  'missing-nosniff': {
    title: 'Browsers may guess the type of content',
    about: 'An uploaded text can be run as a script.',
    where: 'X-Content-Type-Options',
  },
  'server-version': {
    title: 'The server reveals its version',
    about: 'Attackers look the version up in lists of known vulnerabilities.',
    where: 'Server',
  },
  'sql-injection': {
    title: 'The database executes what is in a parameter',
    about: 'The number of a product becomes a part of the statement. Anyone can read the whole database.',
    where: 'GET /products?id=2',
  },
  'reflected-input': {
    title: 'A page repeats input as HTML',
    about: 'A link to the search runs the script of an attacker in the browser of whoever follows it.',
    where: 'GET /search?q=lamp',
  },
  'template-injection': {
    title: 'A value is run as a template',
    about: 'The name becomes a part of the template. Most engines run programs for it; this one multiplies.',
    where: 'GET /greeting?name=Ada',
  },
} as const satisfies Record<string, Weakness>;

export type WeaknessName = keyof typeof WEAKNESSES;

export const isWeaknessName = (text: string): text is WeaknessName => Object.hasOwn(WEAKNESSES, text);

export const weaknessNames: readonly WeaknessName[] = Object.keys(WEAKNESSES)
  .filter(isWeaknessName)
  .filter((name) => name !== 'sql-injection' || HAS_SQLITE);

/** The weaknesses that are not fixed. */
export type OpenWeaknesses = ReadonlySet<WeaknessName>;
