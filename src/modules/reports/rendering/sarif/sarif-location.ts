import type { Location } from 'sarif';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { parseUrl } from '../../../../kernel/parse-url';

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** What RFC 3986 does not let stand in a URI, and what would end its path; parsers of URLs are more patient than that. */
const unfit = /%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]+/giu;

function absolute(text: string): string {
  const plain = parseUrl(text)?.href ?? text.toWellFormed();
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?#]*)(.*)$/s.exec(plain) ?? [];
  return origin.replace(/[^\w.~:/[\]-]+/gu, encoded) + rest.replace(unfit, encoded);
}

/** A URI where there is one, else the asset's value as a relative one, which is how a path in a repository is written too. */
export function uriOf({ location, asset_value }: Pick<SnapshotFinding, 'location' | 'asset_value'>): string {
  const uri = [location, asset_value].find((text) => text !== null && /^[a-z]+:\/\//.test(text));
  return uri ? absolute(uri) : asset_value.split('/').map(encoded).join('/');
}

export const locationOfResult = (finding: SnapshotFinding): Location => ({
  physicalLocation: { artifactLocation: { uri: uriOf(finding) } },
  logicalLocations: [{ fullyQualifiedName: finding.asset_value, kind: 'resource' }],
});
