import { relative } from 'node:path';
import { type Demo, demoFile } from './demo-file';

export interface BannerFacts {
  baseUrl: string;
  portalUrl?: string;
  dataDir: string;
  isEmbedded: boolean;
  /** The folder of the embedded database, if it is not the data folder. */
  databaseDir?: string;
  demo?: Demo;
  demoTargetUrl?: string;
  /** How to test the applications of `--target`; empty without them. */
  targetCommands?: string;
  /** The users exist, and the rest follows. */
  isAddingDemo?: boolean;
}

/** The text that is printed after the start: addresses, credentials and a first request. */
export function banner({
  baseUrl,
  portalUrl,
  dataDir,
  isEmbedded,
  databaseDir,
  demo,
  demoTargetUrl,
  targetCommands = '',
  isAddingDemo = false,
}: BannerFacts): string {
  const sections = [
    table([
      ...(portalUrl ? [['Portal', portalUrl]] : []),
      ['API', `${baseUrl}/v1`],
      ['Swagger UI', `${baseUrl}/docs`],
      ['OpenAPI', `${baseUrl}/openapi.json`],
      ...(demoTargetUrl ? [['Demo target', demoTargetUrl]] : []),
    ]),
    portalUrl && demo ? signIn(portalUrl, demo) : '',
    demo ? credentials(demo) : 'This database has no demo data. To add it, run: npm start -- --demo',
    isAddingDemo
      ? 'The keys work now. Findings, reports and a scan of the demo are being added, which takes a minute.'
      : '',
    demo ? `Example request:\n\n  curl -u '${demoCaller(demo)}' ${baseUrl}/v1/organizations/` : '',
    demo ? `All credentials are in ${relative(process.cwd(), demoFile(dataDir)) || demoFile(dataDir)}.` : '',
    demoTargetUrl ? demoTargetWarning : '',
    targetCommands,
    databaseDir ? `PostgreSQL's user cannot access ${dataDir}. The database is in ${databaseDir}.` : '',
    isEmbedded
      ? 'Ctrl-C stops everything. npm start continues with the same data; npm start -- --reset deletes it.'
      : 'Ctrl-C stops everything except the database.',
  ];
  const text = sections.filter((section) => section !== '').join('\n\n');
  return `\nAssay is running.\n\n${text}\n\n`;
}

const demoTargetWarning = `THE DEMO TARGET IS DELIBERATELY VULNERABLE, so that jobs and retests have a target. It listens on this machine only, and its page
has a switch for each weakness. An active scan also tests its parameters: depth "active" of a scan or of POST /v1/jobs/launch.
To start without it: DEMO_TARGET=off npm start`;

function credentials({ organizations, integrator }: Demo): string {
  const users = organizations.flatMap(({ id, name, users }) =>
    users.map((user) => [`${name} (${id})`, user.role, user.api_key, user.api_secret]),
  );
  const rows = [
    ['Organization', 'Role', 'API key (username)', 'API secret (password)'],
    ...users,
    ['', 'integrator', integrator.api_key, integrator.api_secret],
  ];
  return `Use HTTP Basic authentication with any of these keys:\n\n${table(rows)}`;
}

function signIn(portalUrl: string, { organizations, integrator }: Demo): string {
  const { email, password } = organizations[0]?.users[0] ?? integrator;
  return `Sign in at ${portalUrl} with ${email} and the password ${password}`;
}

function demoCaller({ organizations, integrator }: Demo): string {
  const { api_key, api_secret } = organizations[0]?.users[0] ?? integrator;
  return `${api_key}:${api_secret}`;
}

function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]): string => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}
