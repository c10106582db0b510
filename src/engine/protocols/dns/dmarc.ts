import type { Probe } from '../../probe';
import { domainOf } from './mail-check';

const DMARC = /^v=DMARC1\s*(?:;|$)/;

export interface Dmarc {
  /** The record's tags in lower case; null where there is no record that counts, and then why. */
  readonly tags: ReadonlyMap<string, string> | null;
  readonly reason: string;
  /** Whether it is the record of the domain, which says for names below it what becomes of them. */
  readonly inherited: boolean;
}

const tagsOf = (record: string): Map<string, string> =>
  new Map(
    record.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().toLowerCase()];
    }),
  );

/** The policy that receivers find for mail from this name: its own, or that of its domain. */
export async function dmarcOf(host: string, probe: Probe): Promise<Dmarc> {
  for (const name of new Set([host, domainOf(host)])) {
    const { records } = await probe.dns(`_dmarc.${name}`, 'TXT');
    const [record, ...others] = records.filter((one) => DMARC.test(one));
    if (others.length > 0) {
      const reason = `_dmarc.${name} has ${others.length + 1} DMARC records, so that receivers use none`;
      return { tags: null, reason, inherited: false };
    }
    if (record !== undefined) {
      return { tags: tagsOf(record), reason: `_dmarc.${name} says "${record}"`, inherited: name !== host };
    }
  }
  return { tags: null, reason: `_dmarc.${host} has no DMARC record`, inherited: false };
}
