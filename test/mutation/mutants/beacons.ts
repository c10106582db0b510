import type { Mutant } from '../mutant';

const spec = 'test/e2e/beacon-tests.spec.ts';
const connectionsSpec = 'test/e2e/beacon-connections.spec.ts';
const agentConnections = 'src/modules/beacons/connections/agent-connections.ts';
const relay = 'src/modules/beacons/connections/relay.ts';
const pendingHandshakes = 'src/modules/beacons/connections/pending-handshakes.ts';
const pendingHandshakesSpec = 'src/modules/beacons/connections/pending-handshakes.spec.ts';
const inboundLimits = 'src/beacon-protocol/inbound-limits.ts';
const inboundLimitsSpec = 'src/beacon-protocol/inbound-limits.spec.ts';
const tests = 'src/modules/retests/beacon-tests.ts';
const jobFindings = 'src/modules/jobs/data/job-findings.repository.ts';
const twoNetworks = 'never changes findings of the same address behind another beacon or on the Internet';

/** Jobs and retests through beacons, and the same address behind several of them. */
export const beacons: readonly Mutant[] = [
  {
    name: 'beacons: a job confirms the fix of a finding behind another beacon',
    file: jobFindings,
    search: 'AND ${behind(beaconId)} AND f.created <= coalesce(${finished}, now())\n      ORDER BY f.id',
    replace: 'AND f.created <= coalesce(${finished}, now())\n      ORDER BY f.id',
    spec,
    test: twoNetworks,
  },
  {
    name: 'beacons: findings without a check behind other beacons stop a pipeline',
    file: jobFindings,
    search: 'AND ${within(assetValue, origin, [host])} AND ${behind(beaconId)} AND f.created',
    replace: 'AND ${within(assetValue, origin, [host])} AND f.created',
    spec,
    test: 'does not count findings without a check behind other beacons',
  },
  {
    name: 'beacons: the identity of a finding has no beacon',
    file: 'src/modules/findings/scans/data/scanned-findings.repository.ts',
    search: '\n        AND own.beacon_id IS NOT DISTINCT FROM ${beaconId} FOR',
    replace: ' FOR',
    spec,
    test: twoNetworks,
  },
  {
    name: 'beacons: an accepted check applies behind every beacon',
    file: 'src/modules/assets/domain/accepted-checks.ts',
    search: '`${checkId} ${beaconId}`',
    replace: 'checkId + String(beaconId).slice(9)',
    spec,
    test: 'does not fail because of a check that an admin accepted behind this beacon, but behind another',
  },
  {
    name: 'beacons: a job is claimed without its beacon',
    file: 'src/modules/jobs/work/job-run.ts',
    search: 'target, eventId, beaconId, depth, waitsForBeacon: true })',
    replace: 'target, eventId, beaconId: beaconId && null, depth, waitsForBeacon: true })',
    spec,
    test: 'finds a weakness, and confirms the fix through the same beacon',
  },
  {
    name: 'beacons: a test whose link is lost does not run again',
    file: tests,
    search: 'if (!route.lost.aborted) throw error;',
    replace: 'if (run > 0) throw error;',
    spec,
    test: 'runs again as a whole when the link is lost',
  },
  {
    name: 'beacons: a test runs again without end',
    file: tests,
    search: 'const MAX_RUNS = 3;',
    replace: 'const MAX_RUNS = 4;',
    spec,
    test: 'ends in ERROR when the link is lost in each of three runs',
  },
  {
    name: 'beacons: a worker does not wait for a beacon',
    file: tests,
    search: 'if (performance.now() >= waitEnd) throw',
    replace: 'if (performance.now() >= 0) throw',
    spec,
    test: 'waits for a beacon that is not connected when a worker starts it',
  },
  {
    name: 'beacons: a test waits for a beacon that was deleted',
    file: tests,
    search: 'if (connected === undefined) {',
    replace: 'if (connected === undefined && performance.now() >= waitEnd) {',
    spec,
    test: 'ends in ERROR at once when the beacon is deleted',
  },
  {
    name: 'beacons: the retest of a deleted beacon has no result',
    file: 'src/modules/retests/work/retest-run.ts',
    search: 'if (outcome.isBeaconLost !== true && finding.assetId',
    replace: 'if (finding.assetId',
    spec,
    test: 'is inconclusive when the beacon is deleted during the test',
  },
  {
    name: 'beacons: evidence does not name the beacon',
    file: 'src/modules/retests/work/retest-test.ts',
    search: '{ ...verification, verdict }, run.beacon, key)',
    replace: '{ ...verification, verdict }, null, key)',
    spec,
    test: 'is vulnerable, and fixed after the repair',
  },
  {
    name: 'beacons: an address behind another beacon is in the scope of an event',
    file: 'src/modules/events/domain/scope-membership.ts',
    search: '`${beaconId} ${of}`',
    replace: '`${of}${String(beaconId).slice(9)}`',
    spec: 'src/modules/events/domain/scope-membership.spec.ts',
    test: 'contains an address behind a beacon only behind the same beacon',
  },
  {
    name: 'beacons: what an agent sends is not limited',
    file: 'src/beacon-protocol/multiplexer.ts',
    search: 'this.limits.count(frame);',
    replace: '',
    spec: connectionsSpec,
    test: 'is disconnected with the reason',
  },
  {
    name: 'beacons: an agent sends any number of control messages',
    file: inboundLimits,
    search: 'this.controls.take(1)',
    replace: 'this.controls.take(0)',
    spec: inboundLimitsSpec,
    test: 'allow ten control messages in each second',
  },
  {
    name: 'beacons: control messages of an agent may be long after its hello',
    file: inboundLimits,
    search: '(this.hasGreeted || type !== FRAME.control)',
    replace: 'type !== FRAME.control',
    spec: inboundLimitsSpec,
    test: 'allow a first control message of any size, and 4 KiB',
  },
  {
    name: 'beacons: other messages of an agent may be long',
    file: inboundLimits,
    search: '(this.hasGreeted || type !== FRAME.control)',
    replace: 'this.hasGreeted',
    spec: inboundLimitsSpec,
    test: 'also before the first control message',
  },
  {
    name: 'beacons: an agent sends any amount of messages',
    file: inboundLimits,
    search: 'this.messageBytes.take(length)',
    replace: 'this.messageBytes.take(0)',
    spec: inboundLimitsSpec,
    test: 'allow 1 MiB of messages of all types together',
  },
  {
    name: 'beacons: messages of an agent have any number of fragments',
    file: agentConnections,
    search: '  maxFragments: MAX_FRAGMENTS,\n',
    replace: '',
    spec: connectionsSpec,
    test: 'that cuts a message into hundreds of fragments',
  },
  {
    name: 'beacons: connections that come at once pass the limit together',
    file: agentConnections,
    search: 'const token = basicCredentials(request)',
    replace: 'await this.beacons.find(scope, beacon.id);\n    const token = basicCredentials(request)',
    spec: connectionsSpec,
    test: 'also when a hundred come at once',
  },
  {
    name: 'relay: a connection whose handshake failed stays open',
    file: relay,
    search: '      // After a timeout it would stay open.\n      socket.destroy();',
    replace: '',
    spec: connectionsSpec,
    test: 'closes connections without a handshake after five seconds',
  },
  {
    name: 'relay: connections without a handshake have no limit',
    file: relay,
    search: "server.prependListener('connection', (socket: Socket) => this.limit(socket));",
    replace: '',
    spec: connectionsSpec,
    test: 'has at most 256 of one address',
  },
  {
    name: 'relay: connections with the key count',
    file: relay,
    search: "server.on('secureConnection', (socket) => this.pending.remove(socket));",
    replace: '',
    spec: connectionsSpec,
    test: 'has at most 256 of one address',
  },
  {
    name: 'relay: an IPv6 client has the limit of each of its addresses',
    file: pendingHandshakes,
    search: 'clientNetwork(peer.remoteAddress)',
    replace: 'peer.remoteAddress',
    spec: pendingHandshakesSpec,
    test: 'the /64 of an IPv6 address',
  },
  {
    name: 'relay: connections from many addresses have no limit',
    file: pendingHandshakes,
    search: 'if (this.networks.size >= this.max) return',
    replace: 'if (this.max === 0) return',
    spec: pendingHandshakesSpec,
    test: 'are limited in total',
  },
];
