import { unprocessable } from '../../../kernel/domain-error';
import type { Asset } from '../../assets';

/** What a job on an asset tests: the page of a URL, and the start page of a host. */
export function launchUrlOf({ type, value }: Pick<Asset, 'type' | 'value'>): string {
  if (type === 'url') return value;
  if (type === 'cidr') throw unprocessable('A job tests one host, and the asset is a block: add its hosts as assets.');
  return `https://${value.includes(':') ? `[${value}]` : value}/`;
}
