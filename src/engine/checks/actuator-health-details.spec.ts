import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { actuatorHealthDetails } from './actuator-health-details';

const health = (body: unknown): Site => ({
  pages: { '/actuator/health': { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } },
});
const DISK = { status: 'UP', details: { total: 1_000, free: 7, path: '/opt/shop/.' } };

truthTable(actuatorHealthDetails, {
  scheme: 'http',
  vulnerable: health({ status: 'UP', components: { diskSpace: DISK, ping: { status: 'UP' } } }),
  fixed: health({ status: 'UP' }),
  alsoVulnerable: {
    'it is an old one': health({ status: 'UP', details: { diskSpace: DISK } }),
    'it has much to tell': health({ status: 'UP', components: { a: { status: 'x'.repeat(70_000) }, diskSpace: DISK } }),
    'it is in a group': health({ status: 'UP', components: { db: { status: 'UP', components: { shop: DISK } } } }),
  },
  softErrors: lookalikeSites(JSON.stringify({ status: 'UP', components: { diskSpace: DISK } })),
  alsoFixed: {
    'it names its groups': health({ status: 'UP', groups: ['liveness', 'readiness'] }),
    'it names its components alone': health({ status: 'UP', components: { ping: { status: 'UP' } } }),
    'it names the parts of components alone': health({
      status: 'UP',
      components: { db: { status: 'UP', components: { shop: { status: 'UP' } } } },
    }),
    'there is no Actuator': {},
  },
});
