import { banner } from './banner';
import type { Demo } from './demo-file';

const credentialsOf = (name: string) => ({
  email: `${name}@acme.example`,
  password: 'p',
  api_key: `key_${name}`,
  api_secret: `secret_${name}`,
});
const demo: Demo = {
  base_url: 'http://localhost:3000',
  demo_target_url: null,
  organizations: [
    {
      id: 7,
      name: 'Acme',
      event_slug: null,
      finding_ids: [],
      asset_ids: [],
      report_id: null,
      users: [{ ...credentialsOf('olga'), role: 'owner' }],
    },
  ],
  integrator: { ...credentialsOf('ines'), organization_ids: [] },
};
const facts = { baseUrl: 'http://localhost:3000', dataDir: '/project/.assay', isEmbedded: true };

describe('the banner', () => {
  it('shows the addresses, the credentials and a curl command', () => {
    const text = banner({ ...facts, demo });
    expect(text).toContain('Swagger UI  http://localhost:3000/docs');
    expect(text).toMatch(/Acme \(7\) +owner +key_olga +secret_olga/);
    expect(text).toMatch(/integrator +key_ines +secret_ines/);
    expect(text).toContain(`curl -u 'key_olga:secret_olga' http://localhost:3000/v1/organizations/`);
    expect(text).toContain('--reset');
    expect(text).not.toContain('cannot access');
  });

  it('names the portal first, with an account to sign in', () => {
    const text = banner({ ...facts, demo, portalUrl: 'http://localhost:3001' });
    expect(text).toMatch(/is running\.\n\n {2}Portal +http:\/\/localhost:3001\n/);
    expect(text).toContain('Sign in at http://localhost:3001 with olga@acme.example and the password p');
    expect(banner({ ...facts, demo })).not.toMatch(/portal/i);
  });

  it('warns about the demo target, and says how to start without it', () => {
    const text = banner({ ...facts, demo, demoTargetUrl: 'http://127.0.0.1:3100/' });
    expect(text).toMatch(/Demo target +http:\/\/127\.0\.0\.1:3100\/\n/);
    expect(text).toMatch(/DELIBERATELY VULNERABLE.*DEMO_TARGET=off npm start/s);
    expect(text).toContain('An active scan also tests its parameters: depth "active" of a scan');
    expect(banner({ ...facts, demo })).not.toMatch(/vulnerable|demo target/i);
  });

  it('names the folder of the database if it is not the data folder', () => {
    expect(banner({ ...facts, demo, databaseDir: '/var/lib/assay-1' })).toContain(
      "PostgreSQL's user cannot access /project/.assay. The database is in /var/lib/assay-1.",
    );
  });

  it('offers demo data, but no reset, for an external database', () => {
    const text = banner({ ...facts, isEmbedded: false });
    expect(text).toContain('npm start -- --demo');
    expect(text).not.toContain('--reset');
    expect(text).not.toContain('curl');
  });
});
