import type { Mutant } from '../mutant';

const clients = 'src/engine/protocols/tls/several-clients.spec.ts';

/** How targets are connected to: TLS, HTTP/2 and the DNS. */
export const connections: readonly Mutant[] = [
  {
    name: 'TLS: certificates are asked for by one kind of client',
    file: 'src/engine/probe-session.ts',
    search: 'keyClient: KEY_CLIENTS[at % 8],',
    replace: '',
    spec: clients,
    test: 'of which the RSA one is still',
  },
  {
    name: 'TLS: pages are requested by clients without TLS 1.3',
    file: 'src/engine/check.ts',
    search: 'isWebCheck(check) && check.judgesCertificate === true',
    replace: 'isWebCheck(check)',
    spec: clients,
    test: 'asks checks of pages with the usual client alone',
  },
  {
    name: 'TLS: a refused kind of client is not replaced',
    file: 'src/engine/transport/handshake.ts',
    search: 'if (!isRefusal(error)) throw error;',
    replace: 'throw error;',
    spec: clients,
    test: 'counts sixteen answers although it refuses clients without TLS 1.3',
  },
  {
    name: 'TLS: no ClientHello of a check offers HTTP/2',
    file: 'src/engine/protocols/tls/client-hello.ts',
    search: 'offersHttp2: probe.offersHttp2',
    replace: 'offersHttp2: false',
    spec: clients,
    test: 'reach an old server',
  },
];
