import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page } from '../frame/page';
import { attentionCount, HomePage } from './home-page';
import { HomeReader } from './home-reader';

@Controller('o/:organization')
export class HomeController {
  constructor(private readonly reader: HomeReader) {}

  @Get()
  async show(@CurrentCaller() caller: Caller, @PathId('organization') organizationId: number): Promise<Page> {
    const view = await this.reader.read(caller, organizationId);
    return new Page('Home', <HomePage view={view} />, 'home', { tabTitle: `Home (${attentionCount(view)})` });
  }
}
