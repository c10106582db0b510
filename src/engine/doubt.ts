import { randomBytes } from 'node:crypto';
import { type Page, redirectOf } from './page';
import type { Asked, TargetProbe } from './probe';
import { asksForPassword, serverOf } from './snapshot';

/** Words that only the pages of firewalls and bot walls say, which they do with any status. */
const WALLS =
  /Attention Required! \| Cloudflare|Sorry, you have been blocked|cf-error-details|\bcf-chl-|Just a moment\.\.\.|Incapsula incident ID|The requested URL was rejected\. Please consult|Sucuri WebSite Firewall|This website is using a security service to protect itself|Pardon Our Interruption|Web Page Blocked|Request blocked\.\s+We can't connect|errors\.edgesuite\.net|Mod_Security|\bg-recaptcha\b|\bh-captcha\b/i;

/** What stands before a target under one name, whoever answers. */
const EDGES =
  /^(?:cloudflare|cloudfront|akamai|awselb|sucuri|imperva|bigip|big-ip|varnish|fastly|ddos-guard|qrator|envoy|haproxy)/;

const WALL_FIELDS = ['cf-mitigated', 'x-amzn-waf-action'];
const LOOKED_AT = 50_000;

/** Why an answer is nobody's who was asked: a limit, a failure, a wall. No control can be made from it. */
export function blockageOf(page: Page): string | null {
  const { status } = page;
  if (status === 429) return 'it limits the rate of requests (429)';
  if (status === 408 || status >= 500) return `it fails with ${status}`;
  const walled =
    WALL_FIELDS.some((field) => page.headers.get(field) !== null) || WALLS.test(page.text.slice(0, LOOKED_AT));
  return walled ? `a firewall answers in its place (${status})` : null;
}

const LOGIN = /log-?(?:in|on)|sign-?in|\bsso\b|oauth|auth|account|session|passw/i;

/** A path that nobody has: how the target answers where there is nothing. */
export const missingPath = (): string => `/nothing-${randomBytes(6).toString('hex')}`;

/** A redirect says that nothing is there only if the target sends everything there that it does not have. */
async function redirectDoubt(path: string, to: URL, from: Page, probe: TargetProbe): Promise<string | null> {
  const where = `${to.hostname}${to.pathname}`;
  if (to.host !== new URL(from.url).host) return `${path} redirects to another host or port (${to.host})`;
  if (LOGIN.test(to.pathname)) return `${path} redirects to what looks like a login (${where})`;
  const missing = redirectOf(await probe.quietly({ path: missingPath() }));
  if (missing?.host === to.host && missing.pathname === to.pathname) return null;
  return `${path} redirects to ${where}, where other missing pages do not go`;
}

/**
 * Why an answer in which a check did not find its weakness cannot be trusted to show that the weakness is gone. An
 * answer with the status of the time when the weakness was there is doubted only for what can stand in its place.
 */
export async function doubtOf(
  { path, answer }: Asked,
  statusBefore: number | undefined,
  control: Page,
  probe: TargetProbe,
): Promise<string | null> {
  const { status } = answer;
  const blockage = status === statusBefore && status >= 500 ? null : blockageOf(answer);
  if (blockage !== null) return `${path}: ${blockage}`;
  if (asksForPassword(answer) && !asksForPassword(control)) return `${path} asks for a password`;
  if (status === statusBefore) return null;
  const to = redirectOf(answer);
  if (to !== null) return redirectDoubt(path, to, answer, probe);
  if (status !== 401 && status !== 403 && status !== 407) return null;
  const server = serverOf(control);
  if (server !== null && !EDGES.test(server) && serverOf(answer) === server) return null;
  return `${path} is refused with ${status}, and nothing shows that the target itself refuses it`;
}
