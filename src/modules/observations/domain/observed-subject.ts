import { canonicalIp, Cidr } from '../../../kernel/cidr';
import { hostOf, portOf } from '../../../kernel/web-url';
import type { TypedAssetValue } from '../../assets/domain/asset-coverage';
import { HostList } from '../../discovery/domain/host-list';

/** What is looked at. */
export interface ObservedSubject {
  /** Of a block, its first host. */
  readonly host: string;
  readonly isName: boolean;
  /** Of a URL. */
  readonly port: number | null;
  readonly isTls: boolean;
  /** Null for a single host. */
  readonly block: Cidr | null;
}

export function subjectOf({ type, value }: TypedAssetValue): ObservedSubject {
  if (type === 'cidr') {
    const block = Cidr.parse(value, 'asset_value');
    return { host: new HostList([block]).addressAt(0), isName: false, port: null, isTls: false, block };
  }
  const url = type === 'url' ? new URL(value) : null;
  const host = url === null ? value : hostOf(url);
  const [port, isTls] = [url === null ? null : portOf(url), url?.protocol === 'https:'];
  return { host, isName: canonicalIp(host) === null, port, isTls, block: null };
}
