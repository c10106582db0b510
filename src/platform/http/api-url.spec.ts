import type { ApiRequest } from '../api/api-request';
import { apiUrlOf, setApiUrl } from './api-url';

interface Seen {
  readonly host?: string;
  readonly protocol?: string;
}

function urlFor(config: { API_URL?: string; BASE_PATH?: string }, { host, protocol = 'http' }: Seen): string {
  const settings = new Map<string, unknown>();
  setApiUrl(settings, { API_URL: config.API_URL, BASE_PATH: config.BASE_PATH ?? '', PORT: 3000 });
  return apiUrlOf({ host, protocol, app: settings } as unknown as ApiRequest);
}

it('absolute links have the configured address, else the one that the caller named', () => {
  const seen = { host: 'api.example.com:8443', protocol: 'https' };
  expect(urlFor({ API_URL: 'https://assay.example.com/api', BASE_PATH: '/api' }, seen)).toBe(
    'https://assay.example.com/api',
  );
  expect(urlFor({}, seen)).toBe('https://api.example.com:8443');
  expect(urlFor({ BASE_PATH: '/assay' }, seen)).toBe('https://api.example.com:8443/assay');
  expect(urlFor({}, {})).toBe('http://localhost:3000');
});
