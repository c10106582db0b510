import { Controller, Get, Param } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import { OpenRoute } from '../../../platform/http/operation';
import { ENTRY_SCHEMAS } from '../domain/entry-types';

/** The JSON Schemas of the entries of the feed. */
@Controller('schemas')
export class SchemasController {
  @OpenRoute()
  @Get()
  list(): object {
    return { schemas: [...ENTRY_SCHEMAS.keys()] };
  }

  @OpenRoute()
  @Get(':name')
  get(@Param('name') name: string): object {
    return orThrow(ENTRY_SCHEMAS.get(name), () => notFound('Schema'));
  }
}
