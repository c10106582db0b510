import { Catch } from '@nestjs/common';
import { ErrorFilter } from '../../../platform/http/error.filter';
import { SCIM_ERROR, SCIM_TYPE } from '../domain/scim-resources';
import { ScimError } from '../domain/scim.errors';

/** Errors in the format of RFC 7644. */
@Catch()
export class ScimErrorFilter extends ErrorFilter {
  protected override readonly challenge = 'Bearer realm="assay"';
  protected override readonly mediaType = SCIM_TYPE;

  protected override statusOf(thrown: unknown, status: number): number {
    return (thrown instanceof ScimError ? thrown.status : undefined) ?? status;
  }

  protected override bodyOf(thrown: unknown, status: number, detail: string): object {
    const scimType = thrown instanceof ScimError ? thrown.scimType : undefined;
    return { schemas: [SCIM_ERROR], status: String(status), ...(scimType !== undefined && { scimType }), detail };
  }
}
