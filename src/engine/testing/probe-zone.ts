import { assess } from '../assess';
import type { DnsCheck, Observation } from '../check';
import { ProbeSession } from '../probe-session';
import { NameServer, type Zone } from './name-server';
import { Transport } from '../transport/transport';

const SOA = ['ns1.dns.test hostmaster.dns.test 1'];

/** The result of one probe of a host below `target.test`; with `before`, of a retest of the weakness that this zone had. */
export async function probeZone(check: DnsCheck, host: string, zone: Zone, before?: Zone): Promise<Observation> {
  const withStart = (records: Zone): Zone => ({ ...records, 'target.test': { SOA, ...records['target.test'] } });
  const names = await NameServer.start(withStart(before ?? zone));
  try {
    const transport = new Transport({ userAgent: 'engine-tests', dnsServers: [names.address] });
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    const place = { scheme: 'dns', host, port: 53, path: '/' } as const;
    const baseline = before === undefined ? null : (await assess(check, place, session)).baseline;
    names.zone = withStart(zone);
    return (await assess(check, place, session, baseline)).observation;
  } finally {
    await names.stop();
  }
}
