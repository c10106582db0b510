import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { RequestPipe } from '../../platform/http/request-pipe';

/** Fields of forms are text, like parameters of a query. */
@Injectable()
export class FormPipe implements PipeTransform {
  private readonly requests = new RequestPipe();

  async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return this.requests.transform(value ?? {}, metadata.type === 'body' ? { ...metadata, type: 'query' } : metadata);
  }
}
