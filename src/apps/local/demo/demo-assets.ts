import type { ObservedAsset } from '../../../modules/assets';

type Technology = ObservedAsset['technologies'][number];

export interface DemoAsset {
  readonly name: string;
  readonly tier: number;
  readonly labels: readonly string[];
  readonly inScope: boolean;
  readonly description: string;
  /** A file about it for testers. */
  readonly attachment?: string;
  readonly isPrivate?: boolean;
  /** The product that runs there. */
  readonly purl?: string;
  /** All addresses are for documentation, or private. */
  readonly ip: string;
  readonly services: readonly string[];
  readonly ports: readonly number[];
  readonly technologies: readonly Technology[];
}

const technology = (name: string, stated: Partial<Technology> = {}): Technology => ({
  name,
  vendor: '',
  version: '',
  os: '',
  cpe: '',
  source: '',
  ...stated,
});

const nginx = technology('nginx', {
  vendor: 'F5',
  version: '1.26.3',
  os: 'Debian',
  cpe: 'cpe:2.3:a:f5:nginx:1.26.3:*:*:*:*:*:*:*',
});

export const demoAssets: readonly DemoAsset[] = [
  {
    name: 'shop',
    tier: 1,
    labels: ['customers', 'pci'],
    inScope: true,
    description: 'Orders above 1 EUR are not allowed.',
    attachment: 'test-accounts.pdf',
    ip: '192.0.2.10',
    services: ['http', 'https'],
    ports: [80, 443],
    technologies: [nginx, technology('PHP', { vendor: 'PHP Group', version: '8.3.6' })],
  },
  {
    name: 'api',
    tier: 1,
    labels: ['customers'],
    inScope: true,
    description: 'The API of the shop and of its apps.',
    ip: '192.0.2.11',
    services: ['http', 'https'],
    ports: [80, 443],
    technologies: [nginx],
  },
  {
    name: 'mail',
    tier: 2,
    labels: ['office'],
    inScope: true,
    description: 'No tests that send e-mail.',
    purl: 'pkg:composer/roundcube/roundcubemail@1.6.10',
    ip: '198.51.100.25',
    services: ['https', 'imap', 'smtp'],
    ports: [25, 443, 993],
    technologies: [technology('Roundcube', { vendor: 'Roundcube', version: '1.6.10' })],
  },
  {
    name: 'status',
    tier: 3,
    labels: ['supplier'],
    inScope: false,
    description: 'A service of another company, which does not allow tests.',
    ip: '203.0.113.40',
    services: ['https'],
    ports: [443],
    technologies: [],
  },
  {
    name: 'intranet',
    tier: 2,
    labels: ['office'],
    inScope: true,
    description: 'Behind the beacon of the office.',
    isPrivate: true,
    ip: '10.20.0.7',
    services: ['https', 'ssh'],
    ports: [22, 443],
    technologies: [technology('OpenSSH', { vendor: 'OpenBSD', version: '9.2', os: 'Debian' })],
  },
];

/** As an observation would show it. */
export const observedOn = ({ ip, services, ports, technologies }: DemoAsset, host: string): ObservedAsset => ({
  ip,
  services,
  ports,
  technologies: technologies.map((one) => ({ ...one, source: `A response of ${host}` })),
});
