import { parseArgs } from 'node:util';
import { invalid } from '../../kernel/domain-error';

interface Option {
  readonly environment: string;
  /** How the value is called in the help; undefined for a flag. */
  readonly value?: string;
  readonly help: string;
}

/** All options, by their names on the command line. */
export const OPTIONS = {
  url: {
    environment: 'ASSAY_URL',
    value: 'URL',
    help: 'the base URL of the service, such as https://assay.example.com',
  },
  'beacon-id': { environment: 'ASSAY_BEACON_ID', value: 'ID', help: 'the id of the beacon' },
  'token-file': { environment: 'ASSAY_BEACON_TOKEN_FILE', value: 'FILE', help: 'a file with the token of the beacon' },
  token: {
    environment: 'ASSAY_BEACON_TOKEN',
    value: 'TOKEN',
    help: 'the token itself; other users of this machine can see it on the command line',
  },
  'registration-token-file': {
    environment: 'ASSAY_REGISTRATION_TOKEN_FILE',
    value: 'FILE',
    help: 'a file with a registration token, in place of an id and a token',
  },
  'state-file': {
    environment: 'ASSAY_STATE_FILE',
    value: 'FILE',
    help: 'where a registered agent keeps its id and token',
  },
  'state-secret': {
    environment: 'ASSAY_STATE_SECRET',
    value: 'NAME',
    help: 'the same as a Secret of Kubernetes, which may also have the registration token',
  },
  name: { environment: 'ASSAY_BEACON_NAME', value: 'NAME', help: 'register only as the beacon with this name' },
  'detect-networks': {
    environment: 'ASSAY_DETECT_NETWORKS',
    help: 'register only the networks of the interfaces of this machine',
  },
  'deletion-token-file': {
    environment: 'ASSAY_DELETION_TOKEN_FILE',
    value: 'FILE',
    help: 'delete the beacon of this deletion token with its assets, and exit',
  },
  ca: { environment: 'ASSAY_CA_FILE', value: 'FILE', help: 'the only authorities to trust, as PEM' },
  proxy: {
    environment: 'ASSAY_PROXY',
    value: 'URL',
    help: 'the HTTP proxy; without it HTTPS_PROXY and NO_PROXY are used',
  },
  allow: {
    environment: 'ASSAY_BEACON_ALLOW',
    value: 'CIDR',
    help: 'connect only to this network, whatever the service allows; repeatable, or separated by commas',
  },
  'insecure-http': {
    environment: 'ASSAY_INSECURE_HTTP',
    help: 'accept an http:// URL, which sends the token unencrypted',
  },
  help: { environment: '', help: 'show this text' },
  version: { environment: '', help: 'show the version' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

const NAMES = Object.keys(OPTIONS) as OptionName[];
export const optionOf = (name: OptionName): Option => OPTIONS[name];

const column = ({ value, environment }: Option, name: string): string =>
  `  --${name}${value === undefined ? '' : ` ${value}`}`.padEnd(33) + environment.padEnd(31);

export const usage = `assay-beacon connects a private network to Assay. It connects to the service and accepts no connections.

  assay-beacon --url URL --beacon-id ID --token-file FILE [--allow CIDR] ...
  assay-beacon --url URL --registration-token-file FILE --state-file FILE [--allow CIDR] ...

Each option can also be an environment variable. The command line takes precedence.

${NAMES.map((name) => `${column(optionOf(name), name)}${optionOf(name).help}`).join('\n')}
`;

const SEE_HELP = 'Run with --help for a list of all options.';

export type Given = Partial<Record<OptionName, string[]>>;

/** Reads the command line. Errors name options and never values, which may be a token. */
export function readArguments(args: readonly string[]): Given {
  const options = Object.fromEntries(
    NAMES.map((name) => [name, { type: optionOf(name).value === undefined ? 'boolean' : 'string' } as const]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given: Given = {};
  for (const token of tokens) {
    if (token.kind === 'positional') throw invalid(`Argument ${token.index + 1} belongs to no option. ${SEE_HELP}`);
    if (token.kind === 'option') given[knownName(token.name, token.rawName)] = valuesOf(token, given);
  }
  return given;
}

function knownName(name: string, rawName: string): OptionName {
  if (Object.hasOwn(OPTIONS, name)) return name as OptionName;
  throw invalid(`${rawName} is not an option. ${SEE_HELP}`);
}

function valuesOf({ name, value }: { readonly name: string; readonly value?: string }, given: Given): string[] {
  const { value: valueName } = optionOf(name as OptionName);
  const before = given[name as OptionName];
  if (valueName === undefined) {
    if (value !== undefined) throw invalid(`--${name} has no value. Write only --${name}.`);
    return ['true'];
  }
  if (value === undefined || value === '' || value.startsWith('--'))
    throw invalid(`--${name} needs a value: --${name} ${valueName}.`);
  if (before !== undefined && name !== 'allow') throw invalid(`--${name} is given twice. Give it once.`);
  return [...(before ?? []), value];
}
