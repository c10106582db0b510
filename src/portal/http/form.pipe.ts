import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestPipe } from '../../platform/http/request-pipe';

/** Fields of forms are text, like parameters of a query. */
@Injectable()
export class FormPipe implements PipeTransform {
  private readonly requests = new RequestPipe();

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query') return value;
    return this.requests.transform(withoutEmpty(value ?? {}), { ...metadata, type: 'query' });
  }
}

/** Browsers send a field that was left empty as an empty text. */
const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
