import { exposedFile } from '../protocols/http/exposed-file';

const MARKUP = /^\s{0,50}</;
const SERVICES = /^services:[ \t]{0,20}\r?$/m;
const SERVICE = /^[ \t]{2,20}(?:image|build):/m;
/** Comments and arguments may precede the first instruction. */
const DOCKERFILE =
  /^\ufeff?(?:(?:[ \t]{0,20}#[^\n]{0,500}|ARG [^\n]{1,500}|[ \t\r]{0,20})\n){0,50}FROM [\w./:@${}-]{1,300}(?: AS [\w.-]{1,100})?[ \t]{0,20}\r?\n/i;
const INSTRUCTION = /^(?:RUN|CMD|COPY|ADD|ENTRYPOINT|WORKDIR|ENV|EXPOSE|USER)[ \t]/m;
const CONFIGURATION =
  /^\ufeff?\s{0,50}(?:<\?xml[^<>]{0,200}>\s{0,50})?(?:<!--[^<>]{0,2000}-->\s{0,50}){0,5}<configuration[\s>]/;
const SECTION = /<(?:system\.web|system\.webServer|appSettings|connectionStrings)[\s>/]/;
const DIRECTIVE =
  /^(?:memory_limit|upload_max_filesize|post_max_size|display_errors|error_reporting|error_log|disable_functions|open_basedir|max_execution_time|allow_url_include|allow_url_fopen|session\.save_path|date\.timezone|expose_php) ?= ?/;

const compose = (text: string): string | null =>
  !MARKUP.test(text) && SERVICES.test(text) && SERVICE.test(text)
    ? 'it describes the services of the application'
    : null;

const dockerfile = (text: string): string | null =>
  DOCKERFILE.test(text) && INSTRUCTION.test(text) ? 'it builds the image of the application' : null;

const webConfig = (text: string): string | null =>
  CONFIGURATION.test(text) && SECTION.test(text) ? 'it is the configuration of an ASP.NET site' : null;

function phpIni(text: string): string | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith(';') && !line.startsWith('#'));
  const isSetting = (line: string): boolean => /^(?:\[[^\]]{1,100}\]|[\w.]{1,100} ?=)/.test(line);
  return lines.some((line) => DIRECTIVE.test(line)) && lines.every(isSetting) ? 'it is the configuration of PHP' : null;
}

export const exposedDeploymentFile = exposedFile(
  {
    id: 'exposed-deployment-file',
    title: 'A file that describes the deployment is public',
    severity: 'medium',
    cwe: [538, 497],
    owasp: ['A01:2021', 'A01:2025'],
    wstg: ['WSTG-CONF-04'],
    cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
    references: [
      'https://docs.docker.com/reference/dockerfile/',
      'https://learn.microsoft.com/en-us/iis/manage/configuring-security/use-request-filtering',
    ],
    decides:
      'Requests `/docker-compose.yml`, `/compose.yml`, the same with `.yaml`, `/Dockerfile`, `/web.config`, `/php.ini` and `/.user.ini`. It is vulnerable if a response has the structure of that file, not by its status alone. It is fixed when no path returns such content.',
    text: `A file that says how the application is built and run can be fetched from the web server: the versions of its parts,
the names and ports of internal services, paths on the server, and sometimes passwords.

**How to fix it.** Deploy only the public folder of the application, and refuse such names on the server, in nginx:

    location ~ /(docker-compose|compose|Dockerfile|web\\.config|.*\\.ini) { return 404; }

If the file contains passwords or keys, change them: assume that attackers have read it.`,
    inFolders: true,
  },
  [
    { path: '/docker-compose.yml', identify: compose },
    { path: '/docker-compose.yaml', identify: compose },
    { path: '/compose.yml', identify: compose },
    { path: '/compose.yaml', identify: compose },
    { path: '/Dockerfile', identify: dockerfile },
    { path: '/web.config', identify: webConfig },
    { path: '/php.ini', identify: phpIni },
    { path: '/.user.ini', identify: phpIni },
  ],
);
