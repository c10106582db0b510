import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { unsuitableCharacter } from '../../kernel/plain-text';
import { shownName } from '../../platform/http/request-fields';
import { RequestPipe } from '../../platform/http/request-pipe';

/** Fields of forms are text, like parameters of a query. */
@Injectable()
export class FormPipe implements PipeTransform {
  private readonly requests = new RequestPipe();

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query') return value;
    const fields = (value ?? {}) as Record<string, unknown>;
    requireText(fields);
    return this.requests.transform(asTyped(fields), { ...metadata, type: 'query' });
  }
}

/** PostgreSQL cannot store U+0000, and no other control character can be seen in a form. */
function requireText(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    const character = [name, value]
      .flat()
      .map(unsuitableIn)
      .find((found) => found !== undefined);
    if (character === undefined) continue;
    throw invalid(`${shownName(name)} must not contain control characters: it contains ${character}. Remove it.`);
  }
}

const unsuitableIn = (text: unknown): string | undefined =>
  typeof text === 'string' ? unsuitableCharacter(text, 'text') : undefined;

/** Browsers send a line end as two characters, and a field that was left empty as an empty text. */
const asTyped = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, typeof text === 'string' ? text.replaceAll('\r\n', '\n') : text]),
  );
