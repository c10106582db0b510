import type { Site } from '../testing/target-server';
import { certificate } from '../testing/certificate';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedPrivateKey } from './exposed-private-key';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'text/plain' }, body } },
});
const { key, cert } = certificate();
const { key: otherKey } = certificate();

truthTable(exposedPrivateKey, {
  scheme: 'http',
  vulnerable: at('/server.key', key),
  fixed: {},
  alsoVulnerable: {
    'it comes after its certificate': at('/privkey.pem', cert + key),
    'it is one of SSH': at('/.ssh/id_rsa', key.replaceAll('PRIVATE', 'OPENSSH PRIVATE').replaceAll('\n', '\r\n')),
  },
  softErrors: lookalikeSites(key),
  alsoFixed: {
    'it is a certificate': at('/privkey.pem', cert),
    'it is a public key': at('/id_rsa', key.replaceAll('PRIVATE', 'PUBLIC')),
  },
  lookalikes: {
    'it is a text about keys': at('/server.key', `A key looks like this:\n${otherKey}`),
    'there is nothing in it': at('/server.key', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n'),
  },
});
