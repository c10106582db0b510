import { loadConfig } from '../../../platform/config/load-config';
import { OutboundRequests } from './outbound-requests';

describe('a request to a receiver', () => {
  const settings = {
    DATABASE_URL: 'postgres://assay@localhost/assay',
    DNS_SERVERS: '127.0.0.1:9',
    CALLBACK_DOMAIN: 'calls.example.com',
    CALLBACK_KEY: Buffer.alloc(32, 7).toString('base64'),
    CALLBACK_ADDRESSES: '93.184.216.34',
  };
  const requests = new OutboundRequests(loadConfig(settings));

  it.each(['https://calls.example.com/', 'https://a.CALLS.example.com/', 'https://93.184.216.34/'])(
    'does not call the listener of callbacks: %s',
    async (url) => {
      const answer = await requests.post({ organizationId: 1, url, headers: {}, body: '' });
      expect(answer).toMatchObject({ error: 'address_not_allowed' });
    },
  );
});
