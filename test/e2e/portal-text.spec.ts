import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { Browser, type PortalAnswer, signedInAs, usePortal } from '../support/portal';

const api = useApi();
const portal = usePortal(api);
const make = new Factories(api);

const NUL = 'a\0b';
const SHOWN_NUL = 'a\uFFFDb';

interface Place {
  readonly page: string;
  readonly action: string;
  readonly fields: Record<string, string>;
}

let browser: Browser;
let organizationId: number;
let findingId: number;

beforeAll(async () => {
  const tenant = await make.organization();
  organizationId = tenant.id;
  ({ id: findingId } = await make.finding(tenant.id));
  browser = await signedInAs(api, portal, await tenant.as('owner'));
});

const nameForm = (name: string): Place => ({
  page: '/settings/security',
  action: '/settings/security/name',
  fields: { name },
});

const commentForm = (comment: string): Place => {
  const page = `/o/${organizationId}/findings/${findingId}`;
  return { page, action: `${page}/comments`, fields: { comment } };
};

const submit = ({ page, action, fields }: Place): Promise<PortalAnswer> => browser.submit(page, action, fields);

const reasonIn = ({ text }: PortalAnswer): string | undefined =>
  /<p class="form-error" role="alert">([^<]*)</.exec(text)?.[1]?.replaceAll('&quot;', '"');

describe('a text with U+0000', () => {
  const findings = (): string => `/o/${organizationId}/findings`;
  const places: [label: string, placeOf: () => Place | Promise<Place>][] = [
    ['Name', () => nameForm(NUL)],
    ['Label', () => ({ page: '/settings/api', action: '/settings/api', fields: { label: NUL, read: 'true' } })],
    [
      'Name of a view with these filters',
      () => ({ page: findings(), action: `${findings()}/views`, fields: { name: NUL } }),
    ],
    ['Comment', () => commentForm(NUL)],
    [
      'Note',
      async () => {
        const [{ slug }, asset] = [await make.event(organizationId), await make.asset(organizationId)];
        const page = `/o/${organizationId}/events/${slug}`;
        return { page, action: `${page}/scope`, fields: { asset_id: String(asset.id), description: NUL } };
      },
    ],
  ];

  it.each(places)('is refused in the field %s, whose form shows why and where', async (label, placeOf) => {
    const answer = await submit(await placeOf());
    expect([answer.status, reasonIn(answer)]).toEqual([
      400,
      `${label} must not contain control characters: it contains U+0000. Remove it.`,
    ]);
    expect(answer.text).toContain(SHOWN_NUL);
    expect(answer.text).not.toContain('\0');
  });

  it('is refused in a query', async () => {
    for (const path of [`${findings()}?q=a%00b`, '/sign-in?next=%00', '/sign-in?%00=1']) {
      const { status, text } = await browser.get(path);
      expect([path, status, text]).toEqual([path, 400, expect.stringContaining('must not contain control characters')]);
    }
  });
});

describe('a name', () => {
  it.each([
    ['U+000D', 'a\rb'],
    ['U+000A', 'a\nb'],
    ['U+202E', 'a\u202Eb'],
    ['U+2069', 'a\u2069b'],
  ])('with %s is refused, and its form keeps what was typed', async (character, name) => {
    const answer = await submit(nameForm(name));
    expect([answer.status, reasonIn(answer)]).toEqual([
      400,
      `Name must be one line without control characters: it contains ${character}.`,
    ]);
    expect(answer.text).toContain(`value="${name}"`);
  });
});

describe('a comment', () => {
  it('keeps its tabs and its lines, which end as in the API', async () => {
    expect((await submit(commentForm('First\r\n\tSecond'))).status).toBe(303);
    const [entry] = await query('SELECT comment FROM finding_history WHERE finding_id = $1 AND comment IS NOT NULL', [
      findingId,
    ]);
    expect(entry).toEqual({ comment: 'First\n\tSecond' });
  });
});

describe('text that is not UTF-8', () => {
  const send = (body: string): Promise<PortalAnswer> =>
    new Browser(portal).postForm('/sign-in', body, {
      origin: portal.url,
      'content-type': 'application/x-www-form-urlencoded',
    });

  it.each(['a%ff', 'a%ED%A0%80', 'a%C0%80', 'a%e2%80'])('is refused in a form: %s', async (email) => {
    const { status, text } = await send(`password=x&email=${email}`);
    expect([status, text]).toEqual([400, expect.stringContaining('email must be UTF-8.')]);
  });

  it('is refused in a query', async () => {
    const { status, text } = await browser.get(`/o/${organizationId}/findings?q=a%ff`);
    expect([status, text]).toEqual([400, expect.stringContaining('q must be UTF-8.')]);
  });

  it('differs from a percent sign that was typed', async () => {
    expect((await browser.get(`/o/${organizationId}/findings?q=100%25`)).status).toBe(200);
    expect((await send('email=100%25%20%C3%BC&password=x')).status).toBe(401);
  });
});
