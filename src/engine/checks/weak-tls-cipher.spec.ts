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
import { weakTlsCipher } from './weak-tls-cipher';

const withCiphers = (ciphers: string, options: Site['tls'] = {}, names = ['target.test']): Site => ({
  tls: { ...certificate({ names }), ciphers: `${ciphers}:@SECLEVEL=0`, ...options },
});
const WEAK = withCiphers('ECDHE-ECDSA-NULL-SHA:DEFAULT');

truthTable(weakTlsCipher, {
  vulnerable: WEAK,
  fixed: withCiphers('DEFAULT'),
  alsoVulnerable: { 'it needs no certificate': withCiphers('AECDH-AES256-SHA:DEFAULT') },
  alsoFixed: { 'TLS 1.3 alone is spoken': withCiphers('DEFAULT', { minVersion: 'TLSv1.3' }) },
  lookalikes: { 'who refuses it is for another name': withCiphers('DEFAULT', {}, ['other.test']) },
});

describe('weak-tls-cipher behind a gate', () => {
  it.each(INTERCEPTIONS)('that %s', async (_what, interception, result) => {
    expect(await verdictBehindInterception(weakTlsCipher, siteSetup(WEAK), interception)).toBe(result);
  });

  it('is inconclusive for a server that closes the connection on every ClientHello', async () => {
    expect(
      await verdictBehindInterception(weakTlsCipher, siteSetup(WEAK), (socket) => void socket.end(), isHelloOfChecks),
    ).toBe('inconclusive');
  });

  it.each([
    ['3DES', 0x000a],
    ['3DES with ECDHE', 0xc012],
    ['RC4', 0x0005],
    ['export keys', 0x0003],
    ['DES', 0x0009],
  ])('recognizes %s, which no current client could speak with it', async (_what, suite) => {
    const interception = answering(agreement(0x0303, suite));
    expect(await verdictBehindInterception(weakTlsCipher, siteSetup(WEAK), interception)).toBe('still_vulnerable');
  });
});
