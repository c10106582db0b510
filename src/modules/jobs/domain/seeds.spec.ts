import { parseLaunchUrl } from './launch-url';
import { seedsFor } from './seeds';

it.each(['apikey', 'Private-Token', 'Ocp-Apim-Subscription-Key', 'X-API-Key', 'Authorization', 'X-Secret'])(
  'a HAR file leaves no credential of the field %s',
  (name) => {
    const headers = [
      { name, value: 'do-not-keep' },
      { name: 'X-Tenant', value: 'tea' },
    ];
    const har = JSON.stringify({
      log: { entries: [{ request: { method: 'GET', url: 'https://a.example/x', headers } }] },
    });
    expect(seedsFor('active', { urls: [], har }, parseLaunchUrl('https://a.example/'))).toEqual([
      { path: '/x', headers: [['X-Tenant', 'tea']] },
    ]);
  },
);
