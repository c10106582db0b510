import { preconditionFailed } from '../../kernel/domain-error';
import type { Finding, FindingChange, FindingWithCheck, LockedFinding } from '../../modules/findings';
import { tagOfText } from '../../platform/http/entity-tag';

/** A field that has a form of its own. */
type FormField = keyof FindingChange & keyof Finding;

/** What the form of a field carries, so that it does not overwrite a change that its user has not seen. */
export const versionOf = (value: Finding[FormField]): string => tagOfText(JSON.stringify([value])).slice(1, -1);

/** Of the one field that a form has changed. */
export const versionOfFields = (change: FindingChange): string =>
  Object.values(change as Pick<Finding, FormField>)
    .map(versionOf)
    .join('');

/** A check, and whether it may change state on the target. */
type AllowedCheck = Pick<FindingWithCheck, 'checkDefinition' | 'allowUnsafe'>;

/** So that an admin allows the check that the page showed, and no other one. */
export const versionOfCheck = ({ checkDefinition, allowUnsafe }: AllowedCheck): string =>
  tagOfText(JSON.stringify([checkDefinition, allowUnsafe])).slice(1, -1);

/** Lets the change fail if one of its fields is no longer as its form showed it. */
export const requireFields =
  (change: FindingChange, version: string | undefined) =>
  (finding: LockedFinding): void => {
    const isAsShown = (Object.keys(change) as FormField[]).every((field) => versionOf(finding[field]) === version);
    if (version !== undefined && !isAsShown) throw changedMeanwhile();
  };

export const requireCheck =
  (version: string) =>
  (finding: LockedFinding): void => {
    if (versionOfCheck(finding) !== version) throw changedMeanwhile();
  };

const changedMeanwhile = () =>
  preconditionFailed(
    'Another person has changed this since you opened the page, and your change was not saved. Compare it with the page, and send it again to replace the other change.',
  );
