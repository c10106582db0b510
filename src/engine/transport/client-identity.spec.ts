import { canDecode } from './body';
import { CLIENT_TITLES, type ClientName, type Field, identityFields, type Presented } from './client-identity';

const ASSAY = 'Assay (security@example.test)';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36';
const CLIENTS: readonly ClientName[] = ['assay', 'curl', 'desktop', 'firefox', 'mobile'];

const presented = (client: ClientName, others: Partial<Presented> = {}): readonly Field[] =>
  identityFields({
    client,
    userAgent: ASSAY,
    browserUserAgent: CHROME,
    isWithoutContact: false,
    isSecure: true,
    bypassCaches: false,
    ...others,
  });

const fieldsOf = (
  client: ClientName,
  browserUserAgent: string | null = CHROME,
  isWithoutContact = false,
  headers: readonly Field[] = [],
) => Object.fromEntries(presented(client, { browserUserAgent, isWithoutContact, headers }));

it('a browser on a desktop sends the client hints of its version', () => {
  expect(fieldsOf('desktop')).toMatchObject({
    'User-Agent': CHROME,
    'sec-ch-ua': '"Chromium";v="151", "Google Chrome";v="151", "Not_A Brand";v="99"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-platform': '"Windows"',
  });
});

it('a mobile browser has the version of the configured one', () => {
  expect(fieldsOf('mobile')).toMatchObject({
    'User-Agent': expect.stringMatching(/Android .* Chrome\/151\.0\.0\.0 Mobile /),
    'sec-ch-ua-mobile': '?1',
    'sec-ch-ua-platform': '"Android"',
  });
});

it('a browser that is not Chrome sends no client hints', () => {
  for (const fields of [fieldsOf('firefox'), fieldsOf('desktop', 'Mozilla/5.0 Version/18.0 Safari/605.1.15')])
    expect(Object.keys(fields).join()).not.toContain('sec-ch');
});

it('every client names the contact unless the configuration omits it, and Assay always names it', () => {
  for (const client of CLIENTS) {
    const contact = client === 'assay' ? { 'User-Agent': ASSAY } : { From: 'security@example.test' };
    expect(fieldsOf(client)).toMatchObject(contact);
  }
  expect(fieldsOf('desktop', CHROME, true)).not.toHaveProperty('From');
  expect(fieldsOf('assay', CHROME, true)).toHaveProperty('User-Agent', ASSAY);
});

it('every client names the contact beside a User-Agent of the request', () => {
  for (const client of CLIENTS)
    for (const browser of [CHROME, null])
      expect(fieldsOf(client, browser, true, [['user-agent', 'probe']])).toMatchObject({
        From: 'security@example.test',
      });
});

it('no client has another name than Assay if the operator allows none', () => {
  for (const client of CLIENTS) expect(fieldsOf(client, null, true)).toHaveProperty('User-Agent', ASSAY);
  expect(fieldsOf('mobile', null)).not.toHaveProperty('sec-ch-ua');
});

it('no client is named after a search engine', () => {
  const sent = CLIENTS.flatMap((client) => Object.values(fieldsOf(client)));
  expect([...sent, ...Object.values(CLIENT_TITLES)].join()).not.toMatch(/bot|google\.com|bing|spider/i);
});

/** The order in which Chromium and curl send them. */
const ORDERS: readonly (readonly [ClientName, boolean, boolean, string])[] = [
  ['desktop', false, false, 'Connection Upgrade-Insecure-Requests User-Agent Accept Accept-Encoding Accept-Language'],
  [
    'mobile',
    true,
    true,
    'Connection Pragma Cache-Control sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform Upgrade-Insecure-Requests User-Agent Accept Sec-Fetch-Site Sec-Fetch-Mode Sec-Fetch-User Sec-Fetch-Dest Accept-Encoding Accept-Language',
  ],
  [
    'firefox',
    false,
    false,
    'User-Agent Accept Accept-Language Accept-Encoding Connection Upgrade-Insecure-Requests Priority',
  ],
  ['curl', true, false, 'User-Agent Accept'],
];

it.each(ORDERS)('%s sends its fields in its order (TLS %s, fresh %s)', (client, isSecure, isFresh, names) => {
  const fields = presented(client, { isWithoutContact: true, isSecure, bypassCaches: isFresh });
  expect(fields.map(([name]) => name).join(' ')).toBe(names);
});

it('takes the encodings of browsers over TLS alone, and names none that it cannot decode', () => {
  const plain = presented('desktop', { isSecure: false });
  expect(plain).toContainEqual(['Accept-Encoding', 'gzip, deflate']);
  const offered = fieldsOf('desktop')['Accept-Encoding']?.split(', ') ?? [];
  expect(offered).toContain('br');
  expect(offered.every(canDecode)).toBe(true);
});
