import type { Probe } from '../../probe';
import { domainOf } from './mail-check';

const DMARC = /^v\s*=\s*DMARC1\s*(?:;|$)/;
const POLICIES = new Set(['none', 'quarantine', 'reject']);
/** The beginning of a URI to which reports are sent, such as `mailto:dmarc@example.com`. */
const REPORTING_URI = /(?:^|,)\s*[a-z][a-z\d+.-]*:[^\s,]/;

export interface Dmarc {
  /** The record's tags in lower case. If no record applies, null; `reason` then says why. */
  readonly tags: ReadonlyMap<string, string> | null;
  readonly reason: string;
  /** Whether it is the record of the domain, which states a policy for names below it. */
  readonly inherited: boolean;
}

const tagsOf = (record: string): [name: string, value: string][] =>
  record.split(';').flatMap((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return name.trim() === '' ? [] : [[name.trim().toLowerCase(), value.trim().toLowerCase()]];
  });

/** RFC 7489, 6.6.3: without a valid policy, a record that asks for reports counts as `p=none`, and any other as none. */
function appliedTags(tags: ReadonlyMap<string, string>): Dmarc['tags'] {
  const isValid = POLICIES.has(tags.get('p') ?? '') && POLICIES.has(tags.get('sp') ?? 'none');
  if (isValid) return tags;
  return REPORTING_URI.test(tags.get('rua') ?? '') ? new Map([['p', 'none']]) : null;
}

/** The policy that receivers apply to mail from this name: its own, or that of its domain. */
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
      const applied = appliedTags(tags);
      return applied === null
        ? { tags: null, reason: `${reason}, without a valid policy, so that receivers ignore it`, inherited: false }
        : { tags: applied, reason, inherited: name !== host };
    }
  }
  return { tags: null, reason: `_dmarc.${host} has no DMARC record`, inherited: false };
}
