import type { Mutant } from '../mutant';

const frontier = 'src/engine/active/crawl/frontier.ts';
const crawlSpec = 'src/engine/active/crawl/crawl.spec.ts';
const scanSpec = 'src/engine/active/active-scan.spec.ts';

/** Where active scans may send requests, and how many. */
export const activeScans: readonly Mutant[] = [
  {
    name: 'active scan: addresses of other origins are taken for those of the site',
    file: frontier,
    search: 'if (url.origin !== originOf(this.target) || ',
    replace: 'if (',
    spec: crawlSpec,
    test: 'other origins',
  },
  {
    name: 'active scan: pages out of scope are requested',
    file: frontier,
    search: 'this.isInScope({ ...this.target, path }) &&',
    replace: '',
    spec: crawlSpec,
    test: 'out of scope',
  },
  {
    name: 'active scan: points out of scope are tested',
    file: 'src/engine/active/active-scan.ts',
    search: 'return points.filter(({ point }) => this.frontier.allows(point.request));',
    replace: 'return [...points];',
    spec: scanSpec,
    test: 'tests no point that is out of scope now',
  },
  {
    name: 'active scan: what may change the target is requested',
    file: frontier,
    search: '!mayChange(request.path) &&',
    replace: '',
    spec: crawlSpec,
    test: 'what may change something',
  },
  {
    name: 'active scan: buttons that may change the target are pressed',
    file: frontier,
    search: '!mayChange(label) &&',
    replace: '',
    spec: crawlSpec,
    test: 'what may change something',
  },
  {
    name: 'active scan: requests that change are sent for seeds',
    file: frontier,
    search: 'isReading(request) &&',
    replace: '',
    spec: crawlSpec,
    test: 'seeds, whatever their shape',
  },
  {
    name: 'active scan: more requests are sent than the limit',
    file: 'src/engine/active/traffic.ts',
    search: 'if (this.sent >= requests)',
    replace: 'if (this.sent > 2 * requests)',
    spec: scanSpec,
    test: 'sends no more requests than its limit',
  },
  {
    name: 'active scan: a target that fails is tested on',
    file: 'src/engine/active/traffic.ts',
    search: 'await this.health.ready();',
    replace: '',
    spec: scanSpec,
    test: 'stops within a minute',
  },
  {
    name: 'active scan: a point that provokes errors is tested on',
    file: 'src/engine/active/point-test.ts',
    search: 'if (this.errors > MOST_ERRORS) throw new PointLeft(STORM);',
    replace: '',
    spec: scanSpec,
    test: 'storm of errors',
  },
];
