import type { ReportSnapshot } from '../../domain/report-snapshot';
import { after } from './snapshot-of';

export const demoChanges: ReportSnapshot['changes'] = {
  total: 130,
  by_kind: [
    { kind: 'version_changed', count: 129, text: '129 versions changed' },
    { kind: 'port_opened', count: 1, text: '1 port opened' },
  ],
  listed: [
    {
      seen: after(300),
      asset_id: 2,
      asset_value: 'api.nordwind.example',
      kind: 'port_opened',
      address: '192.0.2.7',
      port: 6379,
      before: null,
      after: { service: 'redis', security: null },
      text: 'Port 6379 opened (redis).',
    },
  ],
};
