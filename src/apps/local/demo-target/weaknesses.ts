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
    title: 'CORS: any origin may read signed-in responses',
    about:
      'The server repeats the origin of every request and allows credentials. A foreign page can read private data.',
    where: 'Access-Control-Allow-Origin',
  },
  'directory-listing': {
    title: 'Directory listing: the server shows the files of a folder',
    about: 'Anyone can find files that no page links to.',
    where: 'GET /uploads/',
  },
  'cookie-without-httponly': {
    title: 'Session cookie without HttpOnly',
    about: 'A script that an attacker gets into a page can steal the session.',
    where: 'Set-Cookie: … without HttpOnly',
  },
  'cookie-without-samesite': {
    title: 'Session cookie without SameSite',
    about: 'A foreign page can send requests in the session of a visitor.',
    where: 'Set-Cookie: … without SameSite',
  },
  'weak-csp': {
    title: 'Content Security Policy (CSP) is missing or lets any script run',
    about: 'One place with unescaped input is enough to run the script of an attacker.',
    where: 'Content-Security-Policy',
  },
  'missing-frame-protection': {
    title: 'Clickjacking: the page can be framed by any site',
    about: 'A foreign page can lay this page under its own buttons and catch the clicks of visitors.',
    where: 'X-Frame-Options',
  },
  'missing-nosniff': {
    title: 'X-Content-Type-Options is missing (MIME sniffing)',
    about: 'An uploaded text can be run as a script.',
    where: 'X-Content-Type-Options',
  },
  'server-version': {
    title: 'Version disclosure: the server names its version',
    about: 'Attackers look the version up in lists of known vulnerabilities.',
    where: 'Server',
  },
  'sql-injection': {
    title: 'SQL injection',
    about: 'The number of a product becomes a part of the statement. Anyone can read the whole database.',
    where: 'GET /products?id=2',
  },
  'reflected-input': {
    title: 'Reflected XSS',
    about: 'A link to the search runs the script of an attacker in the browser of anyone who follows it.',
    where: 'GET /search?q=lamp',
  },
  'template-injection': {
    title: 'Server-side template injection',
    about: 'The name becomes a part of the template. Most engines run programs for it; this one multiplies.',
    where: 'GET /greeting?name=Ada',
  },
  'object-access': {
    title: 'Broken object level authorization (IDOR)',
    about: 'The shop shows an order to any user who is signed in. Ada reads what Bob has bought, and where it is sent.',
    where: 'GET /orders/2044',
  },
} as const satisfies Record<string, Weakness>;

export type WeaknessName = keyof typeof WEAKNESSES;

export const isWeaknessName = (text: string): text is WeaknessName => Object.hasOwn(WEAKNESSES, text);

export const weaknessNames: readonly WeaknessName[] = Object.keys(WEAKNESSES)
  .filter(isWeaknessName)
  .filter((name) => name !== 'sql-injection' || HAS_SQLITE);

/** The weaknesses that are not fixed. */
export type OpenWeaknesses = ReadonlySet<WeaknessName>;
