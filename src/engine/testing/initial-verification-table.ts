import type { WebCheck } from '../check';
import { scan } from '../scan';
import type { Coverage } from '../scan-request';
import type { Target } from '../target';
import { elsewhere } from './disturbances';
import { asksMoreThanControl, isControlOf, siteSetup, type WebStates } from './target-states';
import { sharedTestTarget, type TargetSetup } from './test-target';
import { type Disturbance, send } from './target-server';

type Outcome = Coverage['outcome'];

interface InitialVerificationCase {
  readonly name: string;
  readonly may: readonly Outcome[];
  readonly setup: TargetSetup;
}

/** A different page may have the weakness itself. */
const CONCLUSIVE: readonly Outcome[] = ['not_vulnerable', 'vulnerable'];
const NOT_PASSED: readonly Outcome[] = ['inconclusive', 'vulnerable'];

const toOtherHost: Disturbance = ({ url }, response) => {
  send(response, { status: 301, headers: { location: `https://www.target.test${url}` } });
  return true;
};

const refusing =
  (body: string): Disturbance =>
  (_request, response) => {
    send(response, { status: 403, body });
    return true;
  };

/** The results of the first run of a check in a job, when something else answers instead of the target. */
function rows(check: WebCheck, { fixed, path = '/' }: WebStates): InitialVerificationCase[] {
  const row = (name: string, may: readonly Outcome[], disturb?: Disturbance): InitialVerificationCase => ({
    name,
    may,
    setup: siteSetup(fixed, disturb),
  });
  const besideControl = (disturb: Disturbance): Disturbance => elsewhere(isControlOf(check, path), disturb);
  const besidePage = (disturb: Disturbance): Disturbance => elsewhere(({ url }) => url === path, disturb);
  return [
    row('it is fixed', ['not_vulnerable']),
    row('everything redirects to another host', CONCLUSIVE, toOtherHost),
    ...(check.on === 'tls' ? [] : [row('everything is refused', NOT_PASSED, refusing('no'))]),
    ...(asksMoreThanControl(check)
      ? [
          // A path that is not refused like the paths next to it is either missing or the only one that was exempted.
          row('everything but the page is refused', ['not_vulnerable', 'blocked'], besidePage(refusing('no'))),
          row(
            'a firewall answers, but not to the control',
            ['inconclusive'],
            besideControl(refusing('Web Page Blocked')),
          ),
        ]
      : []),
  ];
}

/** Registers the cases with the test runner. */
export function initialVerificationTable(check: WebCheck, states: WebStates, target: (port: number) => Target): void {
  describe(`${check.id}: the initial verification`, () => {
    const testTarget = sharedTestTarget();
    it.each(rows(check, states).map((one) => [one.name, one] as const))('%s', async (_name, { may, setup }) => {
      const transport = testTarget().transport(4_000, () => setup);
      const via = { signal: new AbortController().signal };
      const { end, coverage } = await scan({
        target: target(testTarget().server.port),
        checks: [check],
        transport,
        via,
        otherWww: async () => null,
      });
      const outcomes = coverage.map(({ outcome, reason }) => `${outcome}: ${reason}`);
      expect(outcomes).toEqual([expect.stringMatching(new RegExp(`^(?:${may.join('|')}): .`))]);
      expect(end).toBe(outcomes[0]?.startsWith('inconclusive') === true ? 'incomplete' : 'complete');
    });
  });
}
