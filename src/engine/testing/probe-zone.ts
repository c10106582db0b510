import { assess } from '../assess';
import type { DnsCheck, Observation } from '../check';
import { ProbeSession } from '../probe-session';
import { NameServer, type Zone } from './name-server';
import { Transport } from '../transport/transport';

const SOA = ['ns1.dns.test hostmaster.dns.test 1'];

/** The result of one probe of a host below `target.test`. */
export async function probeZone(check: DnsCheck, host: string, zone: Zone): Promise<Observation> {
  const names = await NameServer.start({ ...zone, 'target.test': { SOA, ...zone['target.test'] } });
  try {
    const transport = new Transport({ userAgent: 'engine-tests', dnsServers: [names.address] });
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    return (await assess(check, { scheme: 'dns', host, port: 53, path: '/' }, session)).observation;
  } finally {
    await names.stop();
  }
}
