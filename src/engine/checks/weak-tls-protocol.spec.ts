import { certificate } from '../testing/certificate';
import { siteSetup } from '../testing/target-states';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import {
  agreement,
  answering,
  INTERCEPTIONS,
  isHelloOfChecks,
  verdictBehindInterception,
} from '../testing/tls-interceptor';
import { weakTlsProtocol } from './weak-tls-protocol';

const speaking = (minVersion: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3', names = ['target.test']): Site => ({
  tls: { ...certificate({ names }), minVersion, ciphers: 'DEFAULT:@SECLEVEL=0' },
});

truthTable(weakTlsProtocol, {
  vulnerable: speaking('TLSv1'),
  fixed: speaking('TLSv1.2'),
  alsoVulnerable: { 'only TLS 1.1 is left': speaking('TLSv1.1') },
  alsoFixed: { 'TLS 1.3 alone is spoken': speaking('TLSv1.3') },
  lookalikes: { 'who refuses it is for another name': speaking('TLSv1.2', ['other.test']) },
});

describe('weak-tls-protocol behind a gate', () => {
  const vulnerable = siteSetup(speaking('TLSv1'));

  it.each(INTERCEPTIONS)('that %s', async (_what, interception, result) => {
    expect(await verdictBehindInterception(weakTlsProtocol, vulnerable, interception)).toBe(result);
  });

  it('is inconclusive for a server that closes the connection on every ClientHello', async () => {
    expect(
      await verdictBehindInterception(weakTlsProtocol, vulnerable, (socket) => void socket.end(), isHelloOfChecks),
    ).toBe('inconclusive');
  });

  it.each([
    ['SSL 3.0', 0x0300, 0x0005],
    ['TLS 1.0 with 3DES alone', 0x0301, 0x000a],
  ])('recognizes %s, which no current client could speak with it', async (_what, version, suite) => {
    expect(await verdictBehindInterception(weakTlsProtocol, vulnerable, answering(agreement(version, suite)))).toBe(
      'still_vulnerable',
    );
  });
});
