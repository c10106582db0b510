import { COMMON_PORTS, PORTS_OF_NAMES } from '../../../engine/observation/ports';
import { isLimitedByHosting } from '../../assets/domain/hosting';
import { observablePorts, type PortTerms } from './observable-ports';

const terms = (more: Partial<PortTerms> = {}): PortTerms => ({
  isBehindBeacon: false,
  chosen: null,
  allowed: null,
  urlPort: null,
  decided: [],
  ...more,
});
const sorted = (ports: readonly number[]): number[] => [...ports].sort((one, other) => one - other);
const cdn = { by: 'Fastly', target: 'x.fastly.net' };

describe('observablePorts', () => {
  it.each<[string, Partial<PortTerms>, readonly number[]]>([
    ['a name', {}, PORTS_OF_NAMES],
    ['an asset behind a beacon', { isBehindBeacon: true }, COMMON_PORTS],
    ['ports that an admin chose for a name', { chosen: [22, 443] }, [22, ...PORTS_OF_NAMES]],
    ['ports that an admin chose behind a beacon', { isBehindBeacon: true, chosen: [4711] }, [...COMMON_PORTS, 4711]],
    ['a URL with another port', { urlPort: 3000 }, [3000, ...PORTS_OF_NAMES]],
    ['a URL with the port of a printer', { urlPort: 9100 }, [9100, ...PORTS_OF_NAMES]],
    ['a URL with the port of a controller', { urlPort: 502 }, PORTS_OF_NAMES],
    ['a URL of a printer that an admin names', { urlPort: 9100, chosen: [9100] }, [9100, ...PORTS_OF_NAMES]],
    ['what the operator allows', { allowed: [22, 3000] }, [22, 3000]],
    ['a printer that the operator allows', { allowed: [80, 9100] }, [80]],
    ['chosen ports, of which the operator allows one', { chosen: [22, 3000], allowed: [3000, 8080] }, [3000, 8080]],
    ['a printer that an admin names, and the operator allows', { chosen: [9100], allowed: [80, 9100] }, [80, 9100]],
    ['all ports without a beacon', { chosen: 'all', allowed: [22, 3000] }, [22, 3000]],
    ['all ports of a name', { chosen: 'all' }, PORTS_OF_NAMES],
    ['a URL whose port the operator does not allow', { urlPort: 22, allowed: [80] }, [80]],
  ])('tries the expected ports for %s', (_what, more, ports) => {
    expect(sorted(observablePorts(null, terms(more)))).toEqual(sorted(ports));
  });

  it('tries all ports behind a beacon but those of printers and controllers', () => {
    const ports = observablePorts(null, terms({ isBehindBeacon: true, chosen: 'all' }));
    expect(ports.length).toBeGreaterThan(65_500);
    for (const silent of [515, 9100, 502, 47_808]) expect(ports).not.toContain(silent);
  });

  it('tries only the ports of a site where someone else runs the host, until an admin has confirmed its target', () => {
    const chosen = { chosen: [22, 80, 443] };
    const withTargets = (ownTarget: string | null, permittedTarget: string | null): readonly number[] =>
      sorted(observablePorts(cdn, terms({ ...chosen, decided: [{ ownTarget, permittedTarget }] })));
    const wide = [22, 80, 443, 8080, 8443];
    expect(withTargets(null, null)).toEqual([80, 443]);
    expect(withTargets('other.fastly.net', 'other.fastly.net')).toEqual([80, 443]);
    expect(withTargets('x.fastly.net', null)).toEqual(wide);
    expect(withTargets(null, 'x.fastly.net')).toEqual(wide);
    expect(observablePorts(cdn, terms({ allowed: [3000] }))).toEqual([]);
  });

  it('is not limited where nobody else runs the host', () => {
    expect(isLimitedByHosting(null, [{ ownTarget: null, permittedTarget: null }])).toBe(false);
  });
});
