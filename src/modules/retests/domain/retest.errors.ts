import { conflict, unprocessable } from '../../../kernel/domain-error';

export const retestUnderWay = () =>
  conflict('A retest of this finding is not over yet: wait for it, give its verdict or cancel it.');

export const tooManyUnfinishedRetests = (most: number) =>
  unprocessable(
    `${most} retests of this organization are unfinished, which is the limit. Start another when one of them ends, or cancel one.`,
  );

export const neverRetested = () => conflict('The finding has not been retested.');

export const retestNotOver = () => conflict('The retest is not over yet: there is evidence when it is.');

export const notToBeRetested = () =>
  conflict('A false positive, a duplicate or what is out of scope is not retested: open the finding first.');

export const notLaunchable = (remedy: string) => conflict(`The finding cannot be retested: ${remedy}`);
