import { parse } from 'tldts';
import type { WebTarget } from '../target';
import { type HttpAnswer, originOf } from '../transport/http';

type Values = Readonly<Record<string, string>>;

/** The values of the target that every template can use. */
export function targetValues(target: WebTarget): Values {
  const root = originOf(target);
  const path = target.path.replace(/(?<!\/)\/+$/, '');
  const { domain, domainWithoutSuffix, publicSuffix, subdomain } = parse(target.host);
  return {
    BaseURL: `${root}${path}`,
    RootURL: root,
    Hostname: new URL(root).host,
    Host: target.host,
    Port: String(target.port),
    Path: path,
    File: target.path.slice(target.path.lastIndexOf('/') + 1),
    Scheme: target.scheme,
    Input: `${root}${path}`,
    FQDN: target.host,
    RDN: domain ?? target.host,
    DN: domainWithoutSuffix ?? target.host,
    TLD: publicSuffix ?? '',
    SD: subdomain ?? '',
  };
}

export const TARGET_NAMES: ReadonlySet<string> = new Set(
  'BaseURL RootURL Hostname Host Port Path File Scheme Input FQDN RDN DN TLD SD'.split(' '),
);

/** Random texts that every template can use: `randstr`, `randstr_1` and so on. */
export const isRandomName = (name: string): boolean => /^randstr(?:_\d{1,3})?$/.test(name);

/** `http_2_location`: a value of the last response of the second block, or what an extractor found in it. */
export function blockValueName(name: string): { readonly block: number; readonly name: string } | null {
  const [, digits, inner] = /^http_([1-9]\d?)_([\w-]{1,100})$/.exec(name) ?? [];
  return digits === undefined || inner === undefined ? null : { block: Number(digits), name: inner };
}

const LOWER_CASE: Readonly<Record<string, string>> = {
  host: 'BaseURL',
  hostname: 'Hostname',
  port: 'Port',
  scheme: 'Scheme',
};

/** Names that expressions can use for values of a response other than its parts, and for those of the template. */
export const EVENT_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(LOWER_CASE),
  'ip',
  'matched',
  'type',
  'template-id',
]);

export function eventValue(
  name: string,
  target: Values,
  { url, address }: Pick<HttpAnswer, 'url' | 'address'>,
  templateId: string,
): string | undefined {
  const ofTarget = Object.hasOwn(LOWER_CASE, name) ? LOWER_CASE[name] : undefined;
  if (ofTarget !== undefined) return target[ofTarget];
  const values: Values = { matched: url, type: 'http', 'template-id': templateId };
  return name === 'ip' ? address : Object.hasOwn(values, name) ? values[name] : undefined;
}
