import { relative } from 'node:path';
import { type Demo, demoFile } from './demo-file';

export interface BannerFacts {
  baseUrl: string;
  dataDir: string;
  isEmbedded: boolean;
  /** Where the database is, unless it is in the data folder or not ours at all. */
  movedTo?: string;
  demo?: Demo;
  demoTargetUrl?: string;
}

/** What a person needs to go on, once everything runs. */
export function banner({ baseUrl, dataDir, isEmbedded, movedTo, demo, demoTargetUrl }: BannerFacts): string {
  const sections = [
    table([
      ['API', `${baseUrl}/v1`],
      ['Swagger UI', `${baseUrl}/docs`],
      ['OpenAPI', `${baseUrl}/openapi.json`],
      ...(demoTargetUrl ? [['Demo target', demoTargetUrl]] : []),
    ]),
    demo ? credentials(demo) : 'There are no demo data in this database: npm start -- --demo makes some.',
    demo ? `Try it:\n\n  curl -u '${demoCaller(demo)}' ${baseUrl}/v1/organizations/` : '',
    demo ? `All credentials are in ${relative(process.cwd(), demoFile(dataDir)) || demoFile(dataDir)}.` : '',
    demoTargetUrl ? demoTargetWarning : '',
    movedTo ? `PostgreSQL's user cannot enter ${dataDir}: the database is in ${movedTo}.` : '',
    isEmbedded
      ? 'Ctrl-C stops everything; npm start finds the data again; npm start -- --reset begins anew.'
      : 'Ctrl-C stops everything but the database.',
  ];
  const text = sections.filter((section) => section !== '').join('\n\n');
  return `\nAssay is running.\n\n${text}\n\n`;
}

const demoTargetWarning = `THE DEMO TARGET IS WEAK ON PURPOSE, so that jobs and retests have something to find. It listens on this machine alone, the
engine may reach it, and its page mends what it is weak in. To leave it out: DEMO_TARGET=off npm start`;

function credentials({ organizations, integrator }: Demo): string {
  const users = organizations.flatMap(({ id, name, users }) =>
    users.map((user) => [`${name} (${id})`, user.role, user.api_key, user.api_secret]),
  );
  const rows = [
    ['Organization', 'Role', 'API key (user name)', 'API secret (password)'],
    ...users,
    ['', 'integrator', integrator.api_key, integrator.api_secret],
  ];
  return `Basic auth, with any of these:\n\n${table(rows)}`;
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
