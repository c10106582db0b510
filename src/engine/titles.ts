import { type Check, templateOf } from './check';
import { ANY_PARAMETER } from './spots';
import { parseLocation, type PointKind } from './target';

/** The titles of built-in checks before version 0.2. Stored findings are renamed from them, and searches still find them. */
export const FORMER_TITLES: Readonly<Record<string, string>> = {
  'actuator-health-details': 'The health endpoint of a Spring application shows details',
  'anonymous-ftp': 'An FTP server accepts anonymous logins',
  'command-injection': 'The server runs what is in a parameter as a command',
  'cookie-without-httponly': 'A session cookie can be read by scripts',
  'cookie-without-samesite': 'A session cookie is sent with requests from other sites',
  'cookie-without-secure': 'A session cookie is also sent over plain HTTP',
  'cors-with-credentials': 'Any site may read responses with the session of a visitor',
  'dangling-cname': 'A DNS alias leads to a name that does not exist',
  'debug-error-pages': 'Error pages show debug information',
  'directory-listing': 'The server lists the files of a directory',
  'exposed-actuator': 'The Actuator of a Spring application is public',
  'exposed-debugger': 'A debugger that runs code is public',
  'exposed-htpasswd': 'A file with hashed passwords is public',
  'exposed-lock-file': 'The versions of all dependencies are public',
  'exposed-metrics': 'The metrics of the application are public',
  'exposed-pprof': 'The profiler of a Go program is public',
  'exposed-source-map': 'The sources of scripts are public',
  'exposed-wp-config': 'The configuration of WordPress is public',
  'graphql-introspection': 'GraphQL reveals its whole schema',
  'header-injection': 'A value can add headers to the response',
  'insecure-form': 'A form on an HTTPS page is sent over plain HTTP',
  'missing-frame-protection': 'The page can be framed by any site',
  'missing-hsts': 'HTTP Strict Transport Security is missing or too short',
  'missing-nosniff': 'Browsers may guess the type of content',
  'no-https-redirect': 'Pages are served over plain HTTP',
  'open-redirect': 'The site redirects to any address',
  'path-traversal': 'A value is opened as a file of the server',
  'public-openapi': 'The description of an API is public',
  'reflected-input': 'A page repeats input as HTML',
  'server-version': 'The server reveals its version',
  'sql-injection': 'The database executes what is in a parameter',
  'technology-version': 'The application reveals the version of its framework',
  'template-injection': 'A value is run as a template',
  'unsafe-referrer-policy': 'The full URL of the page is sent to other sites',
  'weak-csp': 'The Content Security Policy is missing or lets any script run',
  'weak-tls-cipher': 'Weak ciphers are accepted for TLS',
  'weak-tls-protocol': 'Versions of TLS before 1.2 are accepted',
};

/** The place of a value in a title. */
const PLACES: Readonly<Record<PointKind, (name: string) => string>> = {
  query: (name) => `the parameter ${name}`,
  cookie: (name) => `the cookie ${name}`,
  header: (name) => `the header ${name}`,
  segment: (name) => `segment ${name} of the path`,
  graphql: (name) => `the GraphQL variable ${name}`,
  form: (name) => `the form field ${name}`,
  json: (name) => `the JSON member ${name}`,
};

const MAX_NAME_LENGTH = 80;

/**
 * The title of a finding: the title of its check. For a built-in check about a value in a request, it includes the place of the
 * value.
 */
export function titleAt(check: Check, location: string): string {
  const { title } = check;
  const { parameter, within = 'query' } = parseLocation(location);
  if (parameter === undefined || parameter === ANY_PARAMETER || templateOf(check) !== null) return title;
  return `${title} in ${PLACES[within](parameter.slice(0, MAX_NAME_LENGTH))}`;
}

/** The check whose former title contains this text of at least two words. Null if there is none or more than one. */
export function checkFormerlyTitled(text: string): string | null {
  const words = text.trim().toLowerCase();
  const ids = /\S\s+\S/.test(words)
    ? Object.keys(FORMER_TITLES).filter((id) => FORMER_TITLES[id]?.toLowerCase().includes(words))
    : [];
  return ids.length === 1 ? (ids[0] ?? null) : null;
}
