import { CHECKS, parseTarget } from '../../../engine';
import { checksInScope } from './checks-in-scope';
import { TestScope } from '../../events';

const target = parseTarget('https://x.example/app/');
const url = (value: string) => ({ type: 'url', value, wildcard: null }) as const;

describe('checksInScope', () => {
  it('has all checks without an event, and when no target of a check is excluded', () => {
    const scope = new TestScope([url('https://x.example/')], [url('https://x.example/admin')]);
    for (const each of [null, scope])
      expect(checksInScope(CHECKS, target, each)).toEqual({ checks: CHECKS, leftOut: [] });
  });

  it('leaves out checks of the excluded root of a page in scope, with the reason', () => {
    const scope = new TestScope([url('https://x.example/app')], [url('https://x.example/')]);
    const { checks, leftOut } = checksInScope(CHECKS, target, scope);
    expect(new Set(checks.map(({ on }) => on))).toEqual(new Set(['page']));
    expect(checks.length + leftOut.length).toBe(CHECKS.length);
    expect(leftOut).toContainEqual({
      check: 'exposed-git',
      location: 'https://x.example/',
      outcome: 'not_applicable',
      reason: 'what it addresses is not in the scope of the event',
      controlFailure: null,
      verdict: null,
    });
  });
});
