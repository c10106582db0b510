import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestPipe } from '../../platform/http/request-pipe';
import { GivenForm, withoutEmpty } from './given-form';

/** Fields of forms are text, like parameters of a query. */
@Injectable()
export class FormPipe implements PipeTransform {
  private readonly requests = new RequestPipe();

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body' && metadata.type !== 'query') return value;
    if (metadata.metatype === GivenForm) return new GivenForm((value ?? {}) as Record<string, unknown>);
    return this.requests.transform(withoutEmpty(value ?? {}), { ...metadata, type: 'query' });
  }
}
