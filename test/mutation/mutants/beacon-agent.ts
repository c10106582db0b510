import type { Mutant } from '../mutant';

const allowedNetworks = 'src/apps/beacon/allowed-networks.ts';
const allowedNetworksSpec = 'src/apps/beacon/allowed-networks.spec.ts';
const targets = 'src/apps/beacon/target-connections.ts';
const serviceConnection = 'src/apps/beacon/service-connection.ts';
const serviceConnectionSpec = 'src/apps/beacon/service-connection.spec.ts';
const openWebSocket = 'src/apps/beacon/open-websocket.ts';
const agentSpec = 'src/apps/beacon/beacon-agent.spec.ts';

const addressRanges = 'src/kernel/address-ranges.ts';

export const beaconAgent: readonly Mutant[] = [
  {
    name: 'beacon agent: 6to4 addresses are dialled',
    file: addressRanges,
    search: "  '6to4',\n",
    replace: '',
    spec: allowedNetworksSpec,
    test: 'is refused, however wide the networks are',
  },
  {
    name: 'beacon agent: Teredo addresses are dialled',
    file: addressRanges,
    search: "  'teredo',\n",
    replace: '',
    spec: allowedNetworksSpec,
    test: 'is refused, however wide the networks are',
  },
  {
    name: 'beacon agent: special addresses are dialled',
    file: allowedNetworks,
    search: `if (isClosedToBeacons(canonical)) return 'beacons may not connect to its address';`,
    replace: '',
    spec: allowedNetworksSpec,
    test: 'is refused, however wide the networks are',
  },
  {
    name: 'beacon agent: the networks of the service are ignored',
    file: allowedNetworks,
    search: `if (!contains(configured, canonical)) return 'its address is outside the blocks of the beacon';`,
    replace: '',
    spec: serviceConnectionSpec,
    test: 'connects to nothing outside of the networks',
  },
  {
    name: 'beacon agent: the local limit is ignored',
    file: allowedNetworks,
    search: "if (local !== undefined && !contains(local, canonical))\n      return 'its address",
    replace: "if (local === null)\n      return 'its address",
    spec: serviceConnectionSpec,
    test: 'connects to nothing outside of the networks',
  },
  {
    name: 'beacon agent: the service itself is dialled',
    file: allowedNetworks,
    search: 'own.port === port && canonicalIp(own.address) === canonical',
    replace: 'own.port === port && own.address === address',
    spec: allowedNetworksSpec,
    test: 'of the service or its proxy is refused',
  },
  {
    name: 'beacon agent: a connection is not checked again after it was opened',
    file: targets,
    search: 'return isReached ? null :',
    replace: 'return isReached || !isReached ? null :',
    spec: serviceConnectionSpec,
    test: 'drops a connection that reached another address',
  },
  {
    name: 'beacon agent: an address of any length is in a sentence of the log',
    file: targets,
    search: 'formatUrlHost(loggedAddress(endpoint))',
    replace: 'formatUrlHost(endpoint.address)',
    spec: serviceConnectionSpec,
    test: 'cuts what is no address in its log',
  },
  {
    name: 'beacon agent: connections outside of changed networks go on',
    file: serviceConnection,
    search: 'targets.closeForbidden(networks);',
    replace: '',
    spec: serviceConnectionSpec,
    test: 'ends the connections that its new networks do not include',
  },
  {
    name: 'beacon agent: the service chooses any name server',
    file: serviceConnection,
    search: 'if (refusal !== null) throw',
    replace: 'if (refusal === undefined) throw',
    spec: serviceConnectionSpec,
    test: 'are not asked of a name server outside',
  },
  {
    name: 'beacon agent: a message that comes with the upgrade is lost',
    file: openWebSocket,
    search: 'webSocket.pause();',
    replace: '',
    spec: serviceConnectionSpec,
    test: 'signs in with the token',
  },
  {
    name: 'beacon agent: any certificate of the service is accepted',
    file: 'src/apps/beacon/open-service-socket.ts',
    search: `minVersion: 'TLSv1.2' }`,
    replace: `minVersion: 'TLSv1.2', rejectUnauthorized: false }`,
    spec: agentSpec,
    test: 'refuses a certificate for or of',
  },
  {
    name: 'beacon agent: an order to stop cuts running connections',
    file: serviceConnection,
    search: 'while (this.multiplexer.streamCount > 0 &&',
    replace: 'while (this.multiplexer.streamCount < 0 &&',
    spec: agentSpec,
    test: 'says goodbye, waits for running streams',
  },
  {
    name: 'beacon agent: an http:// URL sends the token unencrypted',
    file: 'src/apps/beacon/options.ts',
    search: "!isLocal(url) && !isOn(settings, 'insecure-http')",
    replace: 'url.host.length === 0',
    spec: 'src/apps/beacon/options.spec.ts',
    test: 'is refused with a sentence',
  },
];
