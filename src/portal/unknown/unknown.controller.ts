import { Controller, Get } from '@nestjs/common';
import { notFound } from '../../kernel/domain-error';
import { Open } from '../http/route-metadata';

/** Every other path. It is the last controller, so that its error page has the frame of a user who is signed in. */
@Controller()
export class UnknownController {
  @Get('*path')
  @Open()
  refuse(): never {
    throw notFound('Page');
  }
}
