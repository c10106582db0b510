import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../../engine/testing/certificate';
import { type AgentOptions, readOptions } from './options';
import { OPTIONS, readArguments, usage } from './read-arguments';

const folder = mkdtempSync(join(tmpdir(), 'assay-beacon-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const TOKEN = `ab_${'t'.repeat(43)}`;
const OTHER_TOKEN = `ab_${'o'.repeat(43)}`;
const tokenFile = file('token', `${TOKEN}\n`);
const URL_TEXT = 'https://assay.example.com';

const read = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): AgentOptions =>
  readOptions(readArguments(args), environment);

const needed = ['--url', URL_TEXT, '--beacon-id', '7', '--token-file', tokenFile];
const withUrl = (url: string, ...more: string[]): string[] => ['--url', url, ...needed.slice(2), ...more];

describe('the options', () => {
  it('are read from the command line', () => {
    const { cert } = certificate();
    const more = ['--ca', file('ca.pem', cert), '--proxy', 'proxy:3128', '--allow', '10.0.0.0/8', '--allow=fd00::/8'];
    const options = read([...needed, ...more]);
    expect(options.url.href).toBe(`${URL_TEXT}/`);
    expect(options.credentials()).toEqual({ id: 7, token: TOKEN });
    expect(options.ca).toBe(cert);
    expect(options.proxy).toMatchObject({ host: 'proxy', port: 3128 });
    expect(options.allow?.map(String)).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(options.warnings).toEqual([]);
  });

  it('are read from the environment', () => {
    const options = read([], {
      ASSAY_URL: `${URL_TEXT}/base`,
      ASSAY_BEACON_ID: '7',
      ASSAY_BEACON_TOKEN: TOKEN,
      ASSAY_PROXY: 'http://me:secret@proxy:3128',
      ASSAY_BEACON_ALLOW: '10.0.0.0/8, 192.168.0.0/16',
      ASSAY_CA_FILE: '',
    });
    expect(options.url.pathname).toBe('/base');
    expect(options.credentials()).toEqual({ id: 7, token: TOKEN });
    expect(options.proxy).toMatchObject({ credentials: 'me:secret' });
    expect(options.allow?.map(String)).toEqual(['10.0.0.0/8', '192.168.0.0/16']);
    expect(options).toMatchObject({ ca: undefined, warnings: [] });
  });

  it('on the command line take precedence, also over the other way to give the token', () => {
    const environment = {
      ASSAY_URL: 'https://other.example',
      ASSAY_BEACON_ID: '8',
      ASSAY_BEACON_TOKEN: OTHER_TOKEN,
      ASSAY_BEACON_ALLOW: '10.0.0.0/8',
    };
    const options = read([...needed, '--allow', '10.1.0.0/16'], environment);
    expect(options.url.host).toBe('assay.example.com');
    expect(options.credentials()).toEqual({ id: 7, token: TOKEN });
    expect(options.allow?.map(String)).toEqual(['10.1.0.0/16']);
    const flag = read([...needed.slice(0, 4), '--token', OTHER_TOKEN], { ASSAY_BEACON_TOKEN_FILE: tokenFile });
    expect(flag.credentials().token).toBe(OTHER_TOKEN);
  });

  it('read the file of the token again each time', () => {
    const path = file('rotated', TOKEN);
    const { credentials } = read([...needed.slice(0, 4), '--token-file', path]);
    writeFileSync(path, OTHER_TOKEN);
    expect(credentials().token).toBe(OTHER_TOKEN);
  });

  it('are all in the help', () => {
    for (const [name, { environment }] of Object.entries(OPTIONS)) {
      expect(usage).toContain(`--${name} `);
      expect(usage).toContain(environment);
    }
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000/'])(
    'accept %s, which does not leave this machine',
    (url) => expect(read(withUrl(url)).warnings).toEqual([]),
  );

  it('warn about a token without encryption, and about secrets that other users can see', () => {
    const insecure = read(withUrl('http://assay.internal', '--insecure-http'));
    expect(insecure.warnings).toEqual([
      'The token and all data are sent to the service unencrypted (--insecure-http).',
    ]);
    expect(read(withUrl('http://assay.internal'), { ASSAY_INSECURE_HTTP: 'true' }).warnings).toHaveLength(1);
    const visible = read([...needed.slice(0, 4), '--token', TOKEN, '--proxy', 'http://me:secret@proxy:3128']);
    expect(visible.warnings).toEqual([
      'Other users of this machine can see the token in the list of processes. Use --token-file.',
      'Other users of this machine can see the password of the proxy in the list of processes. Use ASSAY_PROXY.',
    ]);
    expect(visible.warnings.join()).not.toMatch(/ab_|secret/);
  });

  it.each([
    [{ HTTPS_PROXY: 'http://proxy:1' }, withUrl(URL_TEXT), 1],
    [{ https_proxy: 'http://proxy:1', HTTPS_PROXY: 'http://proxy:2' }, withUrl(URL_TEXT), 1],
    [{ HTTPS_PROXY: 'http://proxy:1', NO_PROXY: 'example.com' }, withUrl(URL_TEXT), undefined],
    [{ HTTPS_PROXY: 'http://proxy:1', NO_PROXY: 'example.com' }, withUrl(URL_TEXT, '--proxy', 'proxy:3'), 3],
    [{ HTTPS_PROXY: 'http://proxy:1' }, withUrl('http://127.0.0.1:3000'), undefined],
    [{}, withUrl(URL_TEXT), undefined],
  ])('with %j use the right proxy (%#)', (environment, args, port) => {
    expect(read(args, environment).proxy?.port).toBe(port);
  });
});

const unreadable = (): string => {
  const path = file('unreadable', TOKEN);
  chmodSync(path, 0o000);
  return path;
};

describe('an option that is not valid', () => {
  it.each<[readonly string[], string]>([
    [
      [],
      'Give the base URL of the service, such as https://assay.example.com: --url URL, or the environment variable ASSAY_URL.',
    ],
    [['--url', URL_TEXT], 'Give the id of the beacon: --beacon-id ID, or the environment variable ASSAY_BEACON_ID.'],
    [needed.slice(0, 4), 'Give the token of the beacon: --token-file FILE, or one of the environment variables'],
    [['--urll', URL_TEXT], '--urll is not an option. Run with --help for a list of all options.'],
    [['-x'], '-x is not an option.'],
    [['--toString'], '--toString is not an option.'],
    [[TOKEN], 'Argument 1 belongs to no option. Run with --help'],
    [['--url'], '--url needs a value: --url URL.'],
    [['--url', '--beacon-id', '7'], '--url needs a value: --url URL.'],
    [['--url='], '--url needs a value: --url URL.'],
    [['--insecure-http=yes'], '--insecure-http has no value. Write only --insecure-http.'],
    [[...needed, '--url', URL_TEXT], '--url is given twice. Give it once.'],
    [withUrl('assay.example.com'), '--url must be an http or https URL'],
    [withUrl('ftp://assay.example.com'), '--url must be an http or https URL'],
    [withUrl('https://me:secret@assay.example.com'), '--url must be an http or https URL'],
    [withUrl(`${URL_TEXT}/?a=1`), '--url must be the base URL of the service, without ? and #'],
    [
      withUrl('http://assay.example.com'),
      '--url is an http:// URL, so the token would be sent unencrypted. Use https://, or give --insecure-http',
    ],
    [['--url', URL_TEXT, '--beacon-id', 'seven'], '--beacon-id must be the number of the beacon'],
    [['--url', URL_TEXT, '--beacon-id', '2147483648'], '--beacon-id must be the number of the beacon'],
    [[...needed, '--token', TOKEN], 'Give --token-file or --token, not both.'],
    [[...needed.slice(0, 4), '--token', 'secret'], '--token has no token of a beacon. It begins with ab_'],
    [
      [...needed.slice(0, 4), '--token-file', '/no/such/file'],
      'The file of --token-file, /no/such/file, does not exist.',
    ],
    [[...needed.slice(0, 4), '--token-file', folder], `The file of --token-file, ${folder}, is a folder.`],
    [
      [...needed.slice(0, 4), '--token-file', file('empty', '\n')],
      'The file of --token-file has no token of a beacon.',
    ],
    [[...needed, '--ca', tokenFile], 'has no certificate in PEM format.'],
    [[...needed, '--ca', '/no/such/file'], 'The file of --ca, /no/such/file, does not exist.'],
    [[...needed, '--proxy', 'socks5://proxy:1080'], '--proxy must be the URL of an HTTP proxy'],
    [[...needed, '--allow', '10.0.0.5'], '--allow must be an address block in CIDR notation'],
    [[...needed, '--allow', '10.0.0.5/8'], '--allow has bits set beyond its prefix (did you mean 10.0.0.0/8?)'],
    [[...needed, '--allow', '10.0.0.0/8,'], '--allow must be an address block'],
  ])('is refused with a sentence (%#)', (args, sentence) => {
    expect(() => read(args)).toThrow(sentence);
    expect(() => read(args)).not.toThrow(/ab_t|secret/);
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ ASSAY_URL: 'http://assay.internal', ASSAY_INSECURE_HTTP: 'yes' }, 'ASSAY_INSECURE_HTTP must be true or false.'],
    [
      { ASSAY_URL: URL_TEXT, ASSAY_BEACON_TOKEN: TOKEN, ASSAY_BEACON_TOKEN_FILE: tokenFile },
      'Give ASSAY_BEACON_TOKEN_FILE or ASSAY_BEACON_TOKEN, not both.',
    ],
  ])('in the environment is named with its variable (%#)', (environment, sentence) => {
    expect(() => read(['--beacon-id', '7'], environment)).toThrow(sentence);
  });

  // The superuser can read every file.
  (process.getuid?.() === 0 ? it.skip : it)('is a token file of another user', () => {
    expect(() => read([...needed.slice(0, 4), '--token-file', unreadable()])).toThrow('cannot be read by this user');
  });
});
