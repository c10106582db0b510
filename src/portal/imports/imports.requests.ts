import { importOptions, ImportQuery } from '../../modules/imports';
import { Flag, Text } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { parseSlug } from '../../platform/http/path-slug';

const MAX_NAME_LENGTH = 200;

export class ImportsQuery extends PageQueryOf(20) {
  /** From the page of a dry run. */
  @Flag({ optional: true })
  for_real?: boolean;
}

/** The options of the API, and the event. The file is the last field of the form. */
export class ImportForm extends ImportQuery {
  @Text(0, 63, { optional: true })
  event?: string;

  target(organizationId: number) {
    return this.event === undefined ? { organizationId } : { eventSlug: parseSlug(this.event) };
  }

  optionsFor(fileName: string) {
    return { ...importOptions(this), name: shownName(fileName) };
  }
}

/** A name of a file may have any characters. */
function shownName(fileName: string): string | null {
  const name = fileName
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  return name === '' ? null : name;
}
