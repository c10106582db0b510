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

const tagsOf = (record: string): [name: string, value: string][] =>
  record.split(';').flatMap((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return name.trim() === '' ? [] : [[name.trim().toLowerCase(), value.trim().toLowerCase()]];
  });

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
      const stated = tagsOf(record);
      const tags = new Map(stated);
      const reason = `_dmarc.${name} says "${record}"`;
      // RFC 6376, 3.2, which RFC 7489 refers to.
      if (tags.size < stated.length)
        return { tags: null, reason: `${reason}, with a tag twice, which makes it invalid`, inherited: false };
      return { tags, reason, inherited: name !== host };
    }
  }
  return { tags: null, reason: `_dmarc.${host} has no DMARC record`, inherited: false };
}
