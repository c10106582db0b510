import { Injectable } from '@nestjs/common';
import { preconditionFailed } from '../../kernel/domain-error';
import { type Finding, type FindingChange, FindingsService } from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { tagOfText } from '../../platform/http/entity-tag';

/** A field that has a form of its own. */
type FormField = keyof FindingChange & keyof Finding;

/** What the form of a field carries, so that it does not overwrite a change that its user has not seen. */
export const versionOf = (value: Finding[FormField]): string => tagOfText(JSON.stringify([value])).slice(1, -1);

@Injectable()
export class FindingVersions {
  constructor(
    private readonly findings: FindingsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Lets the change fail if one of its fields is no longer as its form showed it. */
  require({ scope }: Caller, id: number, change: FindingChange, version: string | undefined): void {
    if (version === undefined) return;
    this.unitOfWork.setCondition(async () => {
      const finding = await this.findings.get(scope, id);
      const isAsShown = (Object.keys(change) as FormField[]).every((field) => versionOf(finding[field]) === version);
      if (!isAsShown) throw changedMeanwhile();
    });
  }
}

const changedMeanwhile = () =>
  preconditionFailed(
    'Another person has changed this since you opened the page, and your change was not saved. Compare it with the page, and send it again to replace the other change.',
  );
