import { readFileSync } from 'node:fs';
import { isLoopbackAddress } from '../../kernel/address-ranges';
import { canonicalIp, Cidr } from '../../kernel/cidr';
import { invalid } from '../../kernel/domain-error';
import { hostOf, portOf, requireWebUrl } from '../../kernel/web-url';
import { FileState, type StateStore } from './agent-state';
import type { Credentials } from './open-websocket';
import { isExcepted, parseProxy, type Proxy } from './proxy';
import { SecretState } from './secret-state';
import { detectedNetworks, oneTimeCredentials, type RegistrationOptions } from './registration';
import { type Given, optionOf, type OptionName } from './read-arguments';

export interface AgentOptions {
  /** The base URL of the API. */
  readonly url: URL;
  /** Reads the file again each time, so that a replaced token needs no restart. */
  readonly credentials: () => Credentials;
  readonly ca: string | undefined;
  readonly proxy: Proxy | undefined;
  readonly allow: readonly Cidr[] | undefined;
  /** What the owner should know, as sentences. */
  readonly warnings: readonly string[];
}

/** What the command line and the environment say: the credentials of the agent, or how it gets them. */
export interface GivenOptions extends AgentOptions {
  readonly registration: RegistrationOptions | undefined;
  /** Of the beacon to delete. */
  readonly deletion: Credentials | undefined;
}

/** An option with the name of its source, for sentences about it. */
interface Setting {
  readonly text: string;
  readonly source: string;
}

class Settings {
  constructor(
    private readonly given: Given,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** The command line takes precedence over the environment. */
  find(name: OptionName): Setting | undefined {
    const values = this.given[name];
    if (values !== undefined) return { text: values.join(','), source: `--${name}` };
    return this.variable(optionOf(name).environment);
  }

  require(name: OptionName): Setting {
    const setting = this.find(name);
    if (setting !== undefined) return setting;
    const { value, environment, help } = optionOf(name);
    throw invalid(`Give ${help}: --${name} ${value}, or the environment variable ${environment}.`);
  }

  isOnCommandLine(name: OptionName): boolean {
    return this.given[name] !== undefined;
  }

  /** Empty counts as not set. */
  variable(...names: readonly string[]): Setting | undefined {
    const source = names.find((name) => (this.environment[name] ?? '') !== '');
    return source === undefined ? undefined : { text: this.environment[source] ?? '', source };
  }
}

/** Throws an error with a sentence for the first option that is missing or not valid. */
export function readOptions(given: Given, environment: NodeJS.ProcessEnv): GivenOptions {
  const settings = new Settings(given, environment);
  const url = readUrl(settings);
  const deletion = readDeletion(settings);
  const allow = readAllow(settings);
  const registration = readRegistration(settings, environment, allow);
  const credentials = registration === undefined && deletion === undefined ? readCredentials(settings) : unregistered;
  // Once now, so that a wrong file or token is reported before anything else happens.
  if (credentials !== unregistered) credentials();
  return {
    url,
    credentials,
    registration,
    deletion,
    ca: readAuthorities(settings),
    proxy: readProxy(settings, url),
    allow,
    warnings: warningsAbout(settings, url),
  };
}

function readUrl(settings: Settings): URL {
  const { text, source } = settings.require('url');
  const url = requireWebUrl(text, source);
  if (url.search !== '' || url.hash !== '')
    throw invalid(`${source} must be the base URL of the service, without ? and #, such as https://assay.example.com.`);
  if (url.protocol === 'http:' && !isLocal(url) && !isOn(settings, 'insecure-http'))
    throw invalid(
      `${source} is an http:// URL, so the token would be sent unencrypted. Use https://, or give --insecure-http if you trust the network.`,
    );
  return url;
}

function isLocal(url: URL): boolean {
  const host = hostOf(url);
  const address = canonicalIp(host);
  return host === 'localhost' || (address !== null && isLoopbackAddress(address));
}

function isOn(settings: Settings, name: 'insecure-http' | 'detect-networks'): boolean {
  const { text = 'false', source = '' } = settings.find(name) ?? {};
  if (!['true', 'false'].includes(text)) throw invalid(`${source} must be true or false.`);
  return text === 'true';
}

const HIGHEST_ID = 2_147_483_647;

function readCredentials(settings: Settings): () => Credentials {
  const { text, source } = settings.require('beacon-id');
  const id = Number(text);
  if (!/^[1-9]\d{0,9}$/.test(text) || id > HIGHEST_ID)
    throw invalid(`${source} must be the number of the beacon, which the service returned when it was created.`);
  const { token, file } = tokenSource(settings);
  return () => ({ id, token: file === undefined ? requireToken(token) : readTokenFile(file) });
}

/** What is on the command line is meant, if the other is only in the environment. */
function tokenSource(settings: Settings): { token: Setting; file?: undefined } | { token?: undefined; file: Setting } {
  const token = settings.find('token');
  const file = settings.find('token-file');
  if (token !== undefined && file !== undefined) {
    if (settings.isOnCommandLine('token') === settings.isOnCommandLine('token-file'))
      throw invalid(`Give ${file.source} or ${token.source}, not both.`);
    return settings.isOnCommandLine('token') ? { token } : { file };
  }
  if (file !== undefined) return { file };
  if (token !== undefined) return { token };
  throw invalid(
    'Give the token of the beacon: --token-file FILE, or one of the environment variables ASSAY_BEACON_TOKEN_FILE and ASSAY_BEACON_TOKEN.',
  );
}

function requireToken({ text, source }: Setting): string {
  if (/^ab_[A-Za-z0-9_-]{20,200}$/.test(text)) return text;
  throw invalid(`${source} has no token of a beacon. It begins with ab_, and the service returned it only once.`);
}

function readTokenFile({ text: path, source }: Setting): string {
  return requireToken({ text: readText(path, source).trim(), source: `The file of ${source}` });
}

const unregistered = (): Credentials => {
  throw invalid('The agent is not registered yet.');
};

function readDeletion(settings: Settings): Credentials | undefined {
  const file = settings.find('deletion-token-file');
  if (file === undefined) return undefined;
  return oneTimeCredentials(readText(file.text, file.source).trim(), 'ad', `The file of ${file.source}`);
}

function readRegistration(
  settings: Settings,
  environment: NodeJS.ProcessEnv,
  allow: readonly Cidr[] | undefined,
): RegistrationOptions | undefined {
  const store = readStore(settings, environment);
  const file = settings.find('registration-token-file');
  if (store === undefined) {
    if (file === undefined) return undefined;
    throw invalid(`${file.source} needs --state-file or --state-secret, where the agent keeps its credentials.`);
  }
  const given = settings.find('beacon-id') ?? settings.find('token') ?? settings.find('token-file');
  if (given !== undefined) throw invalid(`Give ${given.source} or the state of a registered agent, not both.`);
  const networks = isOn(settings, 'detect-networks') ? () => detectedNetworks() : undefined;
  return {
    store,
    token: file && (() => readText(file.text, file.source).trim()),
    name: settings.find('name')?.text,
    networks: networks ?? (allow && (() => allow.map(String))),
  };
}

function readStore(settings: Settings, environment: NodeJS.ProcessEnv): StateStore | undefined {
  const file = settings.find('state-file');
  const secret = settings.find('state-secret');
  if (file !== undefined && secret !== undefined) throw invalid(`Give ${file.source} or ${secret.source}, not both.`);
  if (secret !== undefined) return new SecretState(secret.text, environment);
  return file && new FileState(file.text);
}

function readText(path: string, source: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const problem = { ENOENT: 'does not exist', EACCES: 'cannot be read by this user', EISDIR: 'is a folder' }[code];
    throw invalid(`The file of ${source}, ${path}, ${problem ?? `cannot be read (${code})`}.`);
  }
}

function readAuthorities(settings: Settings): string | undefined {
  const setting = settings.find('ca');
  if (setting === undefined) return undefined;
  const pem = readText(setting.text, setting.source);
  const [, certificate = ''] = pem.split(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----/, 2);
  if (certificate.includes('-----END ')) return pem;
  throw invalid(`The file of ${setting.source}, ${setting.text}, has no certificate in PEM format.`);
}

/** As other programs do, the variables of the environment are for https:// URLs that NO_PROXY does not except. */
function readProxy(settings: Settings, url: URL): Proxy | undefined {
  const setting = settings.find('proxy');
  if (setting !== undefined) return parseProxy(setting.text, setting.source);
  const usual = settings.variable('https_proxy', 'HTTPS_PROXY');
  if (usual === undefined || url.protocol !== 'https:') return undefined;
  const { text: noProxy = '' } = settings.variable('no_proxy', 'NO_PROXY') ?? {};
  return isExcepted(noProxy, hostOf(url), portOf(url)) ? undefined : parseProxy(usual.text, usual.source);
}

function readAllow(settings: Settings): Cidr[] | undefined {
  const setting = settings.find('allow');
  if (setting === undefined) return undefined;
  const texts = setting.text.split(',').map((text) => text.trim());
  return texts.map((text) => Cidr.parse(text, setting.source));
}

function warningsAbout(settings: Settings, url: URL): string[] {
  const warnings: string[] = [];
  if (settings.isOnCommandLine('token'))
    warnings.push('Other users of this machine can see the token in the list of processes. Use --token-file.');
  if (settings.isOnCommandLine('proxy') && /\/\/[^/:]*:[^/@]*@/.test(settings.find('proxy')?.text ?? ''))
    warnings.push(
      'Other users of this machine can see the password of the proxy in the list of processes. Use ASSAY_PROXY.',
    );
  if (url.protocol === 'http:' && !isLocal(url))
    warnings.push('The token and all data are sent to the service unencrypted (--insecure-http).');
  return warnings;
}
