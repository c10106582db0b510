import { failureOfAnswer } from './answer-failure';

it.each([
  [400, { errorMessages: [], errors: { team: 'Team is required.' } }, 'ticket', 'team: Team is required.'],
  [422, { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing' }] }, 'ticket', 'Validation Failed'],
  [400, { message: { title: ["can't be blank"] } }, 'ticket', "title: can't be blank"],
  [403, { message: 'Resource not accessible' }, 'tracker', 'Resource not accessible'],
  [401, { message: 'Bad credentials' }, 'tracker', 'Type them again'],
  [500, null, 'tracker', 'has answered 500'],
])('says what %i means, with the texts of the answer', (status, body, of, text) => {
  expect(failureOfAnswer(status, undefined, body)).toMatchObject({ of, message: expect.stringContaining(text) });
});

it('takes a refusal that says when to ask again for a limit of the rate', () => {
  expect(failureOfAnswer(403, 60, {}).answer).toEqual({ status: 429, retryAfter: 60 });
  expect(failureOfAnswer(403, undefined, {}).answer).toEqual({ status: 403 });
});

it('keeps a text of a foreign server on one line, and short', () => {
  const { message } = failureOfAnswer(400, undefined, { message: `a\n\u202E${'b'.repeat(1_000)}` });
  expect(message.length).toBeLessThan(350);
  expect(message).not.toMatch(/[\n\u202E]/);
});

it('reads few parts of an answer that is deep or wide', () => {
  let read = 0;
  const part = Object.defineProperty({}, 'a', { enumerable: true, get: () => `text ${read++}` });
  const deep = JSON.parse(`${'['.repeat(50_000)}"a"${']'.repeat(50_000)}`) as unknown;
  expect(failureOfAnswer(400, undefined, deep).message).toMatch(/request\.$/);
  const wide = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, () => part));
  expect(failureOfAnswer(400, undefined, wide).message.length).toBeLessThan(350);
  expect(read).toBeLessThan(101);
});
