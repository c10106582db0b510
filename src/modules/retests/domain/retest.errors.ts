import { conflict, PlacesTakenError } from '../../../kernel/domain-error';

export const retestUnderWay = () =>
  conflict('A retest of this finding is unfinished: wait for it, give its verdict or cancel it.');

export const tooManyUnfinishedRetests = (limit: number) =>
  new PlacesTakenError(
    `${limit} retests of this organization are unfinished, which is the limit. Start another when one of them ends, or cancel one.`,
  );

export const neverRetested = () => conflict('The finding has not been retested.');

export const retestNotOver = () => conflict('The retest is unfinished: its evidence is available when it ends.');

export const noNewSite = () =>
  conflict(
    'There is no new site to confirm. Retest the finding: the reason of the result says whether an admin may confirm the site.',
  );

export const noRefusal = () =>
  conflict(
    'There is no refusal to confirm. Retest the finding: if the result is blocked, an admin may confirm that this is the fix.',
  );

export const anotherRetest = () =>
  conflict('This is not the last retest of the finding. Read the baseline again, and confirm what it shows now.');

export const notRetestable = () =>
  conflict('A finding that is a false positive, a duplicate or out of scope is not retested: open the finding first.');

export const notLaunchable = (reason: string) => conflict(`The finding cannot be retested: ${reason}`);

const NOT_ATTESTED = {
  nothing_signed: 'The retest has no signed evidence: nothing was sent, or its verdict was given by hand.',
  other_key: 'The evidence was signed with a key that has been retired. Start the retest again.',
  not_authentic: 'The stored evidence was changed after it was signed. Start the retest again.',
  nothing_observed: 'No response was observed, so there is no digest for the subject. Use format=json.',
} as const;

export const notAttested = (why: keyof typeof NOT_ATTESTED) => conflict(NOT_ATTESTED[why]);
