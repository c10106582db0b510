import * as fc from 'fast-check';
import { ratholeClientConfig } from './rathole';

describe('the rathole client', () => {
  it('names the configured server and carries the token', () => {
    expect(ratholeClientConfig({ server: 'tunnel.example.com:2333', service: 'beacon-7', token: 'ab_secret' })).toBe(
      [
        '[client]',
        'remote_addr = "tunnel.example.com:2333"',
        '',
        '[client.services."beacon-7"]',
        'type = "udp"',
        'token = "ab_secret"',
        'local_addr = "127.0.0.1:51820"',
        '',
      ].join('\n'),
    );
  });

  it('quotes any text as one string on one line', () => {
    const point = fc.nat(0x10ffff).filter((code) => code < 0xd800 || code > 0xdfff);
    const anyText = fc.array(point).map((points) => String.fromCodePoint(...points));
    const nasty = fc.constantFrom('"', '\\', '\n[x]\n', '\u007f', '"\nx = "');
    fc.assert(
      fc.property(fc.oneof(anyText, nasty), (text) => {
        const lines = ratholeClientConfig({ server: text, service: text, token: text }).split('\n');
        expect(lines).toHaveLength(8);
        // The grammar of a TOML basic string, with the escapes that this code writes.
        const [, string = ''] = /^token = ("(?:[^"\\]|\\[btnfr"\\]|\\u[0-9a-f]{4})*")$/u.exec(lines[5] ?? '') ?? [];
        expect(Array.from(string).every((character) => character >= ' ' && character !== '\u007f')).toBe(true);
        expect(JSON.parse(string)).toBe(text);
      }),
    );
  });
});
