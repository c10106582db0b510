import { CHECKS } from '../../../engine/checks';
import { needsAccounts } from '../../../engine/needs-accounts';
import { cwe, owaspCategory, wstgTest } from '../../../engine/classification';
import { severityFromScore } from '../../../kernel/severity';
import { scoreOfVector } from './cvss';

describe.each(CHECKS.map((check) => [check.id, check] as const))('the description of %s', (_id, check) => {
  it('has a CVSS 3.1 vector whose score is in the band of its severity, unless it is informational', () => {
    if (check.severity === 'info') expect(check.cvss).toBeNull();
    else {
      expect(check.cvss).toMatch(/^CVSS:3\.1\/AV:[NA]\/AC:[LH]\/PR:[NL]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH]$/);
      // Only what one account is given of another needs an account.
      if (!needsAccounts(check)) expect(check.cvss).toContain('/PR:N/');
      expect(severityFromScore(scoreOfVector(check.cvss ?? ''))).toBe(check.severity);
    }
  });

  it('names at least one CWE, each with its official name', () => {
    expect(check.cwe.length).toBeGreaterThan(0);
    expect(new Set(check.cwe).size).toBe(check.cwe.length);
    for (const number of check.cwe) expect(cwe(number).name).not.toBeNull();
  });

  it('names one category of each edition of the OWASP Top 10, the 2021 edition first', () => {
    expect(check.owasp.map((category) => category.split(':')[1])).toEqual(['2021', '2025']);
  });

  it('has references that are different HTTPS links', () => {
    expect(check.references.length).toBeGreaterThan(0);
    expect(new Set(check.references).size).toBe(check.references.length);
    for (const link of check.references) expect(new URL(link).protocol).toBe('https:');
  });

  it('says which request decides, what proves the weakness, and what proves the fix', () => {
    expect(check.decides).toMatch(/^[A-Z][a-z]+s .{5,}\. It is vulnerable if .{10,}\. It is fixed when .{10,}\.$/);
  });

  it('has a text with one part on how to fix it', () => {
    expect(check.text.split('**How to fix it.** ')).toHaveLength(2);
  });
});

it('links to the pages of the standards', () => {
  expect(cwe(319)).toEqual({
    id: 'CWE-319',
    name: 'Cleartext Transmission of Sensitive Information',
    url: 'https://cwe.mitre.org/data/definitions/319.html',
  });
  expect(cwe(91)).toMatchObject({ id: 'CWE-91', name: null });
  expect(owaspCategory('A05:2021')).toEqual({
    id: 'A05:2021',
    name: 'Security Misconfiguration',
    url: 'https://owasp.org/Top10/A05_2021-Security_Misconfiguration/',
  });
  expect(owaspCategory('A07:2025').url).toBe('https://owasp.org/Top10/2025/A07_2025-Authentication_Failures/');
  expect(wstgTest('WSTG-CONF-07')).toEqual({
    id: 'WSTG-CONF-07',
    name: 'Test HTTP Strict Transport Security',
    url: 'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/07-Test_HTTP_Strict_Transport_Security',
  });
});
