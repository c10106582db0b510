import { LargeResponseLimit } from './large-response-limit';

const refusal = (begin: () => unknown): unknown => {
  try {
    return begin();
  } catch (error) {
    return error;
  }
};

describe('LargeResponseLimit', () => {
  it('allows two responses for each tenant, and others for other tenants', () => {
    const answers = new LargeResponseLimit();
    answers.begin('a');
    const end = answers.begin('a');
    expect(refusal(() => answers.begin('a'))).toMatchObject({ kind: 'too_many_requests', retryAfter: 1 });
    answers.begin('b');
    end();
    answers.begin('a');
    expect(refusal(() => answers.begin('a'))).toMatchObject({ kind: 'too_many_requests' });
  });

  it('allows six responses in total', () => {
    const answers = new LargeResponseLimit();
    const ends = ['a', 'b', 'c'].flatMap((tenant) => [answers.begin(tenant), answers.begin(tenant)]);
    expect(refusal(() => answers.begin('d'))).toMatchObject({ kind: 'unavailable', retryAfter: 1 });
    for (const end of ends) end();
    for (const tenant of ['d', 'd', 'e', 'e', 'f', 'f']) answers.begin(tenant);
    expect(refusal(() => answers.begin('g'))).toMatchObject({ kind: 'unavailable' });
  });

  it('lets smaller responses to a tenant have 32 million characters together until they are read', () => {
    const answers = new LargeResponseLimit();
    const ends = Array.from({ length: 32 }, () => answers.wait('user 1', 1_048_576));
    expect(() => answers.wait('user 1', 1)).toThrow('Too many large responses to you');
    answers.wait('user 2', 1_048_576);
    ends[0]?.();
    answers.wait('user 1', 1_048_576);
  });
});
