import type { Check, Via } from '../../engine';
import { parseTarget } from '../../engine/target';
import { everything } from '../../platform/api/scope';
import type { AccountUse } from '../accounts';
import type { AssetsService } from '../assets';
import type { AddressProof } from './address-proof';
import type { FindingBaselinesRepository } from './data/finding-baselines.repository';
import type { Launchable, LaunchRefusal } from './launch';
import type { LaunchRule } from './launch-rule';
import { RetestPermission } from './retest-permission';

const target = { ...parseTarget('https://a.example/save'), within: 'form', parameter: 'q' } as const;
const request = { scheme: 'https', host: 'a.example', port: 443, path: '/save', mayChange: true } as const;

const launchWith = (rules: Partial<Launchable> = {}): Launchable =>
  ({
    launchable: true,
    beacon: null,
    hosting: null,
    target,
    isInScope: () => true,
    activeRefusal: () => null,
    writeRefusal: () => null,
    statedPaths: () => ({ allowed: [], forbidden: [] }),
    ...rules,
  }) as Launchable;

/** What a retest may submit: by the rules at its start, and by those of later. */
async function submissionsOf(now: Launchable, later: Launchable | LaunchRefusal): Promise<Via['submissions']> {
  const evaluate = jest.fn().mockResolvedValueOnce(now).mockResolvedValue(later);
  const permission = new RetestPermission(
    {
      find: async () => ({ type: 'url', value: 'https://a.example/' }),
    } as unknown as AssetsService,
    { evaluate } as unknown as LaunchRule,
    { hasExperiment: async () => true } as unknown as FindingBaselinesRepository,
    { pin: async () => ({}) } as unknown as AddressProof,
    {} as AccountUse,
  );
  const check = { id: 'reflected-input', on: 'web', needsPoint: true, activity: 'active' } as unknown as Check;
  const launch = await permission.evaluate(everything('a test'), {
    organizationId: 1,
    assetId: 1,
    target,
    check,
    accountId: null,
    repeats: null,
    eventId: null,
  });
  if (!launch.launchable) throw new Error(launch.reason);
  return (await launch.pin({ signal: new AbortController().signal })).submissions;
}

describe('what a retest submits', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each<[string, Launchable | LaunchRefusal, string]>([
    ['full is withdrawn', launchWith({ writeRefusal: () => 'full is off' }), 'full is off'],
    ['its asset is gone', { launchable: false, reason: 'No asset covers it.' }, 'No asset covers it.'],
    ['the event excludes it', launchWith({ isInScope: () => false }), 'out of scope'],
    [
      'an admin forbids it',
      launchWith({ statedPaths: () => ({ allowed: [], forbidden: ['/save'] }) }),
      'an admin has forbidden it',
    ],
  ])('ends within seconds after %s', async (_what, later, reason) => {
    const submissions = await submissionsOf(launchWith(), later);
    await submissions?.take({ ...request, method: 'POST' });
    jest.advanceTimersByTime(5_000);
    await expect(submissions?.take({ ...request, method: 'POST' })).rejects.toThrow(reason);
  });

  it('is no step and no deletion at an address that is out of scope or forbidden', async () => {
    const now = launchWith({
      isInScope: ({ ...place }) => !('path' in place) || place.path !== '/step',
      statedPaths: () => ({ allowed: [], forbidden: ['/save/of-an-admin'] }),
    });
    const submissions = await submissionsOf(now, now);
    await expect(submissions?.take({ ...request, path: '/step', method: 'POST' })).rejects.toThrow('out of scope');
    submissions?.mayDelete('/save/of-an-admin');
    const deletion = { ...request, path: '/save/of-an-admin', method: 'DELETE' };
    await expect(submissions?.take(deletion)).rejects.toThrow('an admin has forbidden it');
  });
});
