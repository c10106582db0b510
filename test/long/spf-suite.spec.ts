import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { type Lookup, SpfEvaluation } from '../../src/engine/protocols/dns/spf-evaluation';
import { InvalidSpf } from '../../src/engine/protocols/dns/spf-record';

/** The public test suite of RFC 7208 (rfc7208-tests.yml), which is not part of this repository. */
const path = process.env['SPF_TEST_SUITE'];

/** What the check leaves out: reverse zones, the retired record type, and senders in mapped addresses. */
const LEFT_OUT = /^ptr-(?:match|case)|^p-macro|^bytes-bug$|^spftimeout$|ip4mapped$|^cidr6-(?:0-)?ip4$/;

type Value = string | readonly (string | number)[];
type Entry = string | Readonly<Record<string, Value>>;
interface Scenario {
  readonly description: string;
  readonly tests: Readonly<Record<string, { host: string; helo: string; mailfrom: string; result: string | string[] }>>;
  readonly zonedata: Readonly<Record<string, readonly Entry[]>>;
}

class Unanswered extends Error {}

function lookupIn(zone: Scenario['zonedata']): Lookup {
  const byName = new Map(Object.entries(zone).map(([name, entries]) => [name.toLowerCase(), entries]));
  const lookup: Lookup = async (name, type) => {
    const entries = byName.get(name.toLowerCase()) ?? [];
    const hasText = entries.some((entry) => typeof entry === 'object' && 'TXT' in entry);
    const found: string[] = [];
    for (const entry of entries) {
      if (entry === 'TIMEOUT') throw new Unanswered();
      const [[kind, value] = ['', 'NONE']] = typeof entry === 'object' ? Object.entries(entry) : [];
      if (kind === 'CNAME') return lookup(String(value), type);
      if (type !== (kind === 'SPF' && !hasText ? 'TXT' : kind) || value === 'NONE') continue;
      if (value === 'TIMEOUT') throw new Unanswered();
      found.push(typeof value === 'object' ? value.join(kind === 'MX' ? ' ' : '') : value);
    }
    return found;
  };
  return lookup;
}

const scenarios =
  path === undefined ? [] : (loadAll(readFileSync(path, 'utf8')) as (Scenario | null)[]).filter((one) => one !== null);

const cases = scenarios.flatMap(({ description, tests, zonedata }) =>
  Object.entries(tests)
    .filter(([name]) => !LEFT_OUT.test(name))
    .map(([name, test]) => ({ name: `${description}: ${name}`, test, lookup: lookupIn(zonedata) })),
);

async function resultOf({ test, lookup }: (typeof cases)[number]): Promise<string> {
  const sender = test.mailfrom.includes('@') ? test.mailfrom : `postmaster@${test.mailfrom || test.helo}`;
  const at = sender.lastIndexOf('@');
  const [localPart, domain] = [sender.slice(0, at) || 'postmaster', sender.slice(at + 1)];
  try {
    return await new SpfEvaluation({ address: test.host, helo: test.helo, localPart, domain }, lookup).resultOf(domain);
  } catch (error) {
    if (error instanceof InvalidSpf) return 'permerror';
    if (error instanceof Unanswered) return 'temperror';
    throw error;
  }
}

(path === undefined ? it.skip : it)('the evaluation of SPF agrees with the public test suite', async () => {
  expect(cases.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  for (const one of cases) {
    const result = await resultOf(one);
    const expected = [one.test.result].flat();
    if (!expected.includes(result)) wrong.push(`${one.name}: ${result}, not ${expected.join(' or ')}`);
  }
  expect(wrong).toEqual([]);
});
