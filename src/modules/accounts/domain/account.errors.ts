import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const accountNotFound = () => notFound('Account');

export const accountExists = () => conflict('The asset already has an account with this name.');

export const tooManyAccounts = (limit: number, of: string) =>
  unprocessable(`An ${of} has at most ${limit} accounts. Delete one first.`);

export const secretsUnavailable = () =>
  unprocessable('The service has no SECRET_KEY to encrypt the secrets of an account with. Ask its operator to set it.');

export const secretMissing = (name: string) =>
  unprocessable(
    `The secrets of the account ${name} are missing: type them again, because they were never typed or its sign-in or origins have changed.`,
  );

export const accountStopped = (name: string) =>
  conflict(
    `The account ${name} is stopped, because two sign-ins in a row failed. An admin can resume it on the page of the asset.`,
  );

export const nothingRecorded = () =>
  conflict('The account has no recorded sign-in to save: upload a HAR, and wait until its last sign-in has ended.');

export const signInRunning = () => conflict('A sign-in of this account is under way. Wait until it has ended.');
