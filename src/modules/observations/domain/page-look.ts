import type { HostSeen, PortSeen, TechnologySeen } from '../../../engine';
import type { KnownAsset, KnownHost, KnownPort } from './asset-change';
import { changesBetween, type Differences } from './changes-between';

/**
 * The differences between what is known of an asset and one page of it, which a test has requested. A page shows less than an
 * observation, so it never makes anything count as gone, or as another service.
 */
export function withPage(known: KnownAsset, page: HostSeen, isName: boolean, at: Date): Differences {
  const [seen] = page.ports;
  if (seen === undefined) return { asset: known, changes: [] };
  const host = known.hosts.find(({ address }) => address === page.address);
  const before = host?.ports.find(({ port }) => port === seen.port);
  const others = host?.ports.filter((one) => one !== before) ?? [];
  const unseen = before?.isOpen === true ? unseenOf(before, seen) : [];
  const { asset, changes } = changesBetween(
    { ...known, hosts: host === undefined ? [] : [{ ...host, ports: before === undefined ? [] : [before] }] },
    {
      isName,
      addresses: known.addresses,
      hosting: known.hosting,
      hosts: [{ ...page, ports: [{ ...asKnown(seen, before), technologies: [...seen.technologies, ...unseen] }] }],
      watched: new Set([...known.watched, seen.port]),
    },
    at,
  );
  const after = asset.hosts.map((one): KnownHost => {
    const ports = one.ports.map((port) => ({ ...port, technologies: port.technologies.map(withMissesOf(unseen)) }));
    return { ...one, ports: [...others, ...ports].sort((first, second) => first.port - second.port) };
  });
  return { asset: { ...known, hosts: [...known.hosts.filter((one) => one !== host), ...after] }, changes };
}

/** A page cannot tell services that speak HTTP apart. */
const asKnown = (seen: PortSeen, before: KnownPort | undefined): PortSeen =>
  before?.isOpen === true && before.service !== null
    ? { ...seen, service: before.service, security: before.security }
    : seen;

const isSame = (one: TechnologySeen, other: TechnologySeen): boolean =>
  one.name === other.name && one.version === other.version;

/** Known technologies of which the page says nothing. It may state another version of one that has one. */
const unseenOf = ({ technologies: known }: KnownPort, { technologies }: PortSeen): KnownPort['technologies'] =>
  known.filter((one) => {
    const isNamed = technologies.some(({ name }) => name === one.name);
    const isOnly = known.filter(({ name }) => name === one.name).length === 1;
    return !technologies.some((other) => isSame(one, other)) && !(isNamed && isOnly);
  });

const withMissesOf =
  (unseen: KnownPort['technologies']) =>
  (technology: KnownPort['technologies'][number]): KnownPort['technologies'][number] =>
    unseen.find((one) => isSame(one, technology)) ?? technology;
