import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem } from './problem';

export interface Profile {
  readonly url?: string;
  readonly key?: string;
  readonly secret?: string;
  readonly organization?: number;
  readonly severity?: string;
  readonly ca_file?: string;
  readonly proxy?: string;
}

export interface Profiles {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export interface Flags {
  readonly profile?: string;
  readonly url?: string;
  readonly organization?: number;
  readonly caFile?: string;
  readonly severity?: string;
  readonly event?: string;
  readonly depth?: string;
}

export interface Settings extends Flags {
  readonly key: string | undefined;
  readonly secret: string | undefined;
  readonly proxy: string | undefined;
  readonly severity: string;
  /** Where the address is from, for errors. */
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const SEVERITIES = ['none', 'info', 'low', 'medium', 'high', 'critical', 'cosmic'];
const DEFAULT_SEVERITY = 'medium';
const PROJECT_FILE = '.assay.json';
/** A repository is written by more people than those whose key is used. */
const PROJECT_KEYS = ['organization', 'event', 'depth', 'severity'];

export const profilesFile = (environment: Environment): string =>
  join(environment['XDG_CONFIG_HOME'] || join(environment['HOME'] ?? homedir(), '.config'), 'assay', 'profiles.json');

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Problem(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function readProfiles(environment: Environment): Profiles {
  const file = profilesFile(environment);
  if (!existsSync(file)) return { current: 'default', profiles: {} };
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new Problem(`${file} has keys, and others may read it.`, `chmod 600 ${file}`);
  return readJson(file) as Profiles;
}

export function writeProfiles(environment: Environment, profiles: Profiles): string {
  const file = profilesFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  return file;
}

/** The nearest project file, up to the folder of the repository. */
function projectFileOf(folder: string): string | undefined {
  const file = join(folder, PROJECT_FILE);
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, '.git')) ? undefined : projectFileOf(parent);
}

interface ProjectSettings {
  readonly organization?: number;
  readonly event?: string;
  readonly depth?: string;
  readonly severity?: string;
}

function readProject(folder: string, severityOfUser: string): ProjectSettings {
  const file = projectFileOf(folder);
  if (file === undefined) return {};
  const project = readJson(file) as Record<string, unknown>;
  if (typeof project !== 'object' || project === null || Array.isArray(project))
    throw new Problem(`${file} must be a JSON object.`);
  for (const name of Object.keys(project))
    if (!PROJECT_KEYS.includes(name))
      throw new Problem(`${file} sets ${JSON.stringify(name)}.`, `A project file may set ${PROJECT_KEYS.join(', ')}.`);
  const { organization, event, depth, severity } = project;
  if (organization !== undefined && !Number.isInteger(organization))
    throw new Problem(`${file}: organization must be an id.`);
  if (event !== undefined && typeof event !== 'string') throw new Problem(`${file}: event must be a slug.`);
  if (depth !== undefined && depth !== 'active')
    throw new Problem(`${file}: depth must be "active". A project file may not make a scan weaker.`);
  if (severity !== undefined && !isStricter(severity, severityOfUser))
    throw new Problem(
      `${file}: severity must be ${SEVERITIES.slice(0, SEVERITIES.indexOf(severityOfUser) + 1).join(', ')}.`,
      'A project file may only make the gate stricter. Use --severity or ASSAY_SEVERITY for another one.',
    );
  return project;
}

const isStricter = (severity: unknown, than: string): boolean =>
  typeof severity === 'string' &&
  SEVERITIES.includes(severity) &&
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(than);

/** Flags, then the environment, then the file of the project, then that of the user. */
export function readSettings(flags: Flags, environment: Environment, folder: string): Settings {
  const { current, profiles } = readProfiles(environment);
  const name = flags.profile ?? environment['ASSAY_PROFILE'] ?? current;
  const profile: Profile = profiles[name] ?? {};
  if (profiles[name] === undefined && name !== 'default')
    throw new Problem(`There is no profile ${name}.`, `assay login --profile ${name}`);
  const url = withoutSlash(flags.url ?? environment['ASSAY_URL'] ?? profile.url);
  const source =
    flags.url !== undefined ? '--url' : environment['ASSAY_URL'] !== undefined ? 'ASSAY_URL' : `the profile ${name}`;
  // The key of a profile is for its address alone.
  const own = url === withoutSlash(profile.url) ? profile : {};
  const organization = environment['ASSAY_ORGANIZATION'];
  const severityOfUser = profile.severity ?? DEFAULT_SEVERITY;
  const project = readProject(folder, severityOfUser);
  const severity = flags.severity ?? environment['ASSAY_SEVERITY'] ?? project.severity ?? severityOfUser;
  if (!SEVERITIES.includes(severity))
    throw new Problem(`${severity} is not a severity.`, `Severities: ${SEVERITIES.join(', ')}.`);
  return {
    profile: name,
    url,
    key: environment['ASSAY_API_KEY'] ?? own.key,
    secret: environment['ASSAY_API_SECRET'] ?? own.secret,
    organization:
      flags.organization ??
      (organization === undefined ? undefined : Number(organization)) ??
      project.organization ??
      own.organization,
    caFile: flags.caFile ?? environment['ASSAY_CA_FILE'] ?? own.ca_file,
    proxy: own.proxy,
    severity,
    event: flags.event ?? environment['ASSAY_EVENT'] ?? project.event,
    depth: flags.depth ?? environment['ASSAY_DEPTH'] ?? project.depth,
    source,
  };
}

const withoutSlash = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
