import type { Type } from '@nestjs/common';
import { RequestPipe } from '../../platform/http/request-pipe';

const requests = new RequestPipe();

/** Browsers send a field that was left empty as an empty text. */
export const withoutEmpty = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));

/** A form as it was sent. The handler reads it, so that it can show it again if something in it is wrong. */
export class GivenForm {
  constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /** What was typed into a field. Passwords and codes are never shown again. */
  text(name: string): string | undefined {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  }

  /** Throws an error that names every invalid field. */
  async read<T extends object>(form: Type<T>): Promise<T> {
    return (await requests.transform(withoutEmpty(this.fields), { type: 'query', metatype: form })) as T;
  }
}
