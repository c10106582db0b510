import { useApi } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const PASSWORD = 'a Passw0rd of customer A';
const SEED = 'JBSWY3DPEHPK3PXP';
const ORIGIN = 'https://shop.example.com';
const form = { kind: 'form', page: `${ORIGIN}/login`, user_name: 'ada' };

interface Setting {
  readonly tenant: Tenant;
  readonly admin: Client;
  readonly assetId: number;
  readonly accounts: string;
}

async function createSetting(): Promise<Setting> {
  const tenant = await make.organization();
  const { client: admin } = await tenant.as('admin');
  const { id: assetId } = await make.asset(tenant.id, { value: ORIGIN, type: 'url' });
  return { tenant, admin, assetId, accounts: `/v1/assets/${assetId}/accounts/` };
}

const draft = {
  name: 'customer A',
  role: 'customer',
  sign_in: form,
  origins: [ORIGIN],
  secrets: { password: PASSWORD },
};

const sealedOf = async (id: number): Promise<Buffer | null> => {
  const [row] = await query<{ sealed: Buffer | null }>('SELECT sealed FROM asset_accounts WHERE id = $1', [id]);
  return row?.sealed ?? null;
};

describe('an account of an asset', () => {
  it('is added, listed, changed and deleted by admins, and read by all members', async () => {
    const { tenant, admin, assetId, accounts } = await createSetting();
    const created = await admin.post(accounts, draft);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toContain(`${accounts}${created.body.id}`);
    expect(created.body).toEqual({
      id: expect.any(Number),
      asset_id: assetId,
      name: 'customer A',
      role: 'customer',
      sign_in: form,
      origins: [`${ORIGIN}:443`],
      has_secrets: true,
      proof: null,
      launch_role: 'admin',
      ci_keys: false,
      signed_in_tests: false,
      consented_by: null,
      consented_at: null,
      stopped_at: null,
      last_proved: null,
      last_refused: null,
      refusal: null,
      last_sign_in: null,
      own_values: [],
      own_value_count: 0,
      expires: null,
      relations: [],
      created: expect.any(String),
    });
    const one = `${accounts}${created.body.id}`;
    const { client: viewer } = await tenant.as('viewer');
    expect((await viewer.get(one)).body).toEqual({ ...created.body, own_values: null });
    expect((await viewer.get(accounts)).body).toEqual({ accounts: [{ ...created.body, own_values: null }] });
    const { client: member } = await tenant.as('member');
    for (const refused of [
      await member.post(accounts, draft),
      await member.patch(one, { name: 'B' }),
      await member.delete(one),
      await member.post(`${one}/resume`),
      await member.post(`${one}/sign-in`),
    ])
      expect(refused.status).toBe(403);
    const changed = await admin.patch(one, { name: 'customer B', launch_role: 'member', ci_keys: true });
    expect(changed.body).toMatchObject({ name: 'customer B', launch_role: 'member', ci_keys: true, has_secrets: true });
    expect((await admin.delete(one)).status).toBe(200);
    expect((await admin.get(one)).status).toBe(404);
  });

  it('shows what belongs to it alone to admins, and others how much that is', async () => {
    const { tenant, admin, accounts } = await createSetting();
    const own_values = ['ada@example.com', 'order 4711'];
    const { body } = await admin.post(accounts, { ...draft, own_values });
    expect([body.own_values, body.own_value_count]).toEqual([own_values, 2]);
    for (const role of ['viewer', 'member'] as const) {
      const { client } = await tenant.as(role);
      for (const path of [accounts, `${accounts}${body.id}`]) {
        const { text } = await client.get(path);
        expect(own_values.filter((value) => text.includes(value))).toEqual([]);
        expect(text).toContain('"own_value_count":2');
      }
    }
  });

  it('is refused with a sentence that names what is wrong', async () => {
    const { admin, accounts } = await createSetting();
    const refusals: readonly [object, number, string][] = [
      [
        { ...draft, sign_in: { kind: 'magic' } },
        400,
        'sign_in must be an object whose kind says how it signs in: form, request, steps, basic, header, cookie.',
      ],
      [
        { ...draft, sign_in: { ...form, password: PASSWORD } },
        400,
        'sign_in.password is unknown. Known fields: kind, user_name, totp, page, user_field, password_field.',
      ],
      [{ ...draft, sign_in: { kind: 'form', page: form.page } }, 400, 'sign_in.user_name is missing.'],
      [
        { ...draft, sign_in: { ...form, page: 'https://evil.example.com/login' } },
        400,
        `sign_in.page is at https://evil.example.com:443, which is none of the origins of the account: ${ORIGIN}:443.`,
      ],
      [
        { ...draft, origins: [`${ORIGIN}/path`] },
        400,
        `origins must be a scheme, a host and a port alone, such as https://example.com:8443, and ${ORIGIN}/path has more.`,
      ],
      [
        { ...draft, origins: ['https://other.example.com'] },
        422,
        `origins has none that ${ORIGIN}/ covers: name the scheme, host and port of the asset.`,
      ],
      ...['User-Agent', 'X-Forwarded-For', 'X-HTTP-Method-Override', 'Host', 'X Y'].map(
        (name): [object, number, string] => [
          { ...draft, sign_in: { kind: 'header', name }, secrets: { value: 'hush' } },
          400,
          `sign_in has the header "${name}": name one that carries a credential, not who asks, where, or how.`,
        ],
      ),
      [{ ...draft, secrets: {} }, 400, 'secrets.password is missing: sign_in needs it.'],
      [
        { ...draft, secrets: { password: PASSWORD, value: 'x=1' } },
        400,
        'secrets.value must be left out: sign_in does not need it.',
      ],
      [{ ...draft, secrets: { password: 'ab' } }, 400, 'secrets.password must have at least 3 characters.'],
      [
        { ...draft, sign_in: { ...form, totp: {} }, secrets: { password: PASSWORD, totp_seed: 'no seed!' } },
        400,
        'secrets.totp_seed must be in base32: the text that the application shows beside its QR code.',
      ],
    ];
    for (const [body, status, description] of refusals) {
      const answer = await admin.post(accounts, body);
      expect([answer.status, answer.body.description]).toEqual([status, description]);
      expect(answer.text).not.toContain(PASSWORD);
    }
    expect((await admin.post(accounts, draft)).status).toBe(201);
    expect((await admin.post(accounts, draft)).body.description).toBe(
      'The asset already has an account with this name.',
    );
  });

  it('loses its secrets when its sign-in or its origins change, unless they are typed again', async () => {
    const { admin, accounts } = await createSetting();
    const { id } = (await admin.post(accounts, draft)).body;
    const one = `${accounts}${id}`;
    expect((await admin.patch(one, { role: 'clerk', sign_in: form, origins: [ORIGIN] })).body.has_secrets).toBe(true);
    const moved = await admin.patch(one, { sign_in: { ...form, page: `${ORIGIN}/signin` } });
    expect([moved.body.has_secrets, await sealedOf(id)]).toEqual([false, null]);
    expect((await admin.patch(one, { secrets: { password: PASSWORD } })).body.has_secrets).toBe(true);
    const proof = { url: `${ORIGIN}/account`, text: 'Sign out', only: 'in' };
    expect((await admin.patch(one, { proof })).body.proof).toEqual(proof);
    const wider = await admin.patch(one, { origins: [ORIGIN, 'https://login.example.com'] });
    expect([wider.body.has_secrets, wider.body.proof]).toEqual([false, null]);
    const typed = { origins: [ORIGIN], secrets: { password: PASSWORD }, proof };
    expect((await admin.patch(one, typed)).body).toMatchObject({ has_secrets: true, proof });
    const elsewhere = await admin.patch(one, { proof: { ...proof, url: 'https://other.example.com/' } });
    expect(elsewhere.body.description).toMatch(/^proof\.url is at https:\/\/other\.example\.com:443, which is none of/);
  });

  it('has the consent of an admin, with the name and the time, until it is withdrawn or the sign-in changes', async () => {
    const { tenant, admin, accounts } = await createSetting();
    const { id } = (await admin.post(accounts, draft)).body;
    const given = (await admin.patch(`${accounts}${id}`, { signed_in_tests: true })).body;
    expect(given).toMatchObject({ signed_in_tests: true, consented_at: expect.any(String) });
    expect(given.consented_by).not.toBeNull();
    const withdrawn = (await admin.patch(`${accounts}${id}`, { signed_in_tests: false })).body;
    expect(withdrawn).toMatchObject({ signed_in_tests: false, consented_at: null, consented_by: null });
    await admin.patch(`${accounts}${id}`, { signed_in_tests: true });
    const moved = { sign_in: { ...form, page: `${ORIGIN}/signin` }, secrets: { password: PASSWORD } };
    expect((await admin.patch(`${accounts}${id}`, moved)).body).toMatchObject({
      signed_in_tests: false,
      consented_by: null,
    });
    const { audit_logs: logs } = (
      await admin.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=account.change&per_page=50`)
    ).body;
    expect(logs.map(({ metadata }: { metadata: { signed_in_tests: boolean } }) => metadata.signed_in_tests)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('is one of at most 20 of its asset, also when several are added at once', async () => {
    const { admin, accounts } = await createSetting();
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_none, at) => admin.post(accounts, { ...draft, name: `customer ${at}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.description).toBe('An asset has at most 20 accounts. Delete one first.');
  });

  it('is deleted with its asset', async () => {
    const { admin, accounts, assetId } = await createSetting();
    const { id } = (await admin.post(accounts, draft)).body;
    expect((await admin.delete(`/v1/assets/${assetId}`)).status).toBe(200);
    expect(await query('SELECT id FROM asset_accounts WHERE id = $1', [id])).toEqual([]);
  });

  it('shows its secrets in no answer or audit entry, and stores them in the encrypted column only', async () => {
    const { tenant, admin, accounts, assetId } = await createSetting();
    const secrets = { password: PASSWORD, totp_seed: SEED };
    const key = { 'Idempotency-Key': 'accounts' };
    const created = await admin.post(accounts, { ...draft, sign_in: { ...form, totp: {} }, secrets }, key);
    expect(created.status).toBe(201);
    const shown = [
      created.text,
      (await admin.get(accounts)).text,
      (await admin.get(`/v1/assets/${assetId}`)).text,
      (await admin.get(`/v1/audit-logs/?organization_id=${tenant.id}&per_page=100`)).text,
    ].join('\n');
    const tables = await query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${name} t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0 OR strpos(t::text, encode($1::bytea, 'hex')) > 0`,
        [PASSWORD, SEED],
      );
      if ((rows[0]?.count ?? 0) > 0) found.push(name);
    }
    expect(found).toEqual([]);
    for (const secret of [PASSWORD, SEED]) expect(shown).not.toContain(secret);
    expect((await sealedOf(created.body.id))?.length).toBeGreaterThan(0);
  });
});
