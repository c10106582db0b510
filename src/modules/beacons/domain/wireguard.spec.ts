import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ratholeClientConfig } from './rathole';
import { newWireguardKeys, wireguardConfig, withRathole, type WireguardServer } from './wireguard';

const { privateKey, publicKey } = newWireguardKeys();
const SERVER: WireguardServer = {
  publicKey: newWireguardKeys().publicKey,
  endpoint: '192.0.2.1:51820',
  addresses: ['100.64.0.1/32', 'fd00:64::1/128'],
};

describe('the WireGuard keys', () => {
  it('are 32 random bytes in base64', () => {
    expect([privateKey, publicKey].map((key) => Buffer.from(key, 'base64').length)).toEqual([32, 32]);
    expect(newWireguardKeys().privateKey).not.toBe(privateKey);
  });
});

describe('the WireGuard configuration', () => {
  it('names both peers', () => {
    expect(wireguardConfig('own', { ...SERVER, publicKey: 'theirs' })).toBe(
      [
        '[Interface]',
        'PrivateKey = own',
        'ListenPort = 51820',
        '',
        '[Peer]',
        'PublicKey = theirs',
        'AllowedIPs = 100.64.0.1/32, fd00:64::1/128',
        'Endpoint = 192.0.2.1:51820',
        'PersistentKeepalive = 25',
        '',
      ].join('\n'),
    );
  });

  it('has no endpoint when the service connects to the beacon, and no peer when none is configured', () => {
    expect(wireguardConfig('own', { ...SERVER, endpoint: null })).not.toMatch(/Endpoint|PersistentKeepalive/);
    expect(wireguardConfig('own', null)).toBe('[Interface]\nPrivateKey = own\nListenPort = 51820\n');
  });

  it('carries the rathole client as comments', () => {
    expect(withRathole('[Interface]\n', '[client]\n\nremote_addr = "x"\n')).toBe(
      [
        '[Interface]',
        '',
        '# client.toml of rathole, each line after its "# ":',
        '# [client]',
        '#',
        '# remote_addr = "x"',
        '',
      ].join('\n'),
    );
  });
});

const installed = spawnSync('wg', ['--version']).status === 0;
const withWg = installed ? it : it.skip;

describe(`the program wg${installed ? '' : ' (skipped: install wireguard-tools)'}`, () => {
  withWg('derives the same public key from the private key', () => {
    const { stdout } = spawnSync('wg', ['pubkey'], { input: `${privateKey}\n`, encoding: 'utf8' });
    expect(stdout.trim()).toBe(publicKey);
  });

  const folder = mkdtempSync(join(tmpdir(), 'assay-wireguard-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The interface does not exist, so a valid file fails with `Unable to modify`, and an invalid one with a parsing error. */
  function setconf(config: string): string {
    const file = join(folder, 'beacon.conf');
    writeFileSync(file, config, { mode: 0o600 });
    return spawnSync('wg', ['setconf', 'assay-none', file], { encoding: 'utf8' }).stderr;
  }

  withWg.each([
    ['both ends', SERVER],
    ['the service connects to the beacon', { ...SERVER, endpoint: null }],
    ['IPv6', { ...SERVER, endpoint: '[2001:db8::1]:51820' }],
    ['no server', null],
  ])('accepts the configuration: %s', (_, server) => {
    expect(setconf(wireguardConfig(privateKey, server))).toMatch(/^Unable to modify interface/);
  });

  withWg('accepts the configuration with the file of the rathole client', () => {
    const client = ratholeClientConfig({ server: 'tunnel.example.com:2333', service: 'beacon-7', token: 'ab_secret' });
    expect(setconf(withRathole(wireguardConfig(privateKey, SERVER), client))).toMatch(/^Unable to modify interface/);
  });

  withWg('refuses invalid configurations, which shows that these tests can fail', () => {
    expect(setconf(wireguardConfig('own', SERVER))).toMatch(/Configuration parsing error/);
    expect(setconf(`${wireguardConfig(privateKey, SERVER)}Address = 10.0.0.1/32\n`)).toMatch(/parsing error/);
  });
});
