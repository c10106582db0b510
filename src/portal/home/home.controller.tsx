import { Controller, Get } from '@nestjs/common';
import { Page } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { attentionCount, HomePage } from './home-page';
import { HomeReader } from './home-reader';

@Controller('o/:organization')
export class HomeController {
  constructor(private readonly reader: HomeReader) {}

  @Get()
  async show(@InOrganization() { caller, organizationId }: Place): Promise<Page> {
    const view = await this.reader.read(caller, organizationId);
    return new Page('Home', <HomePage view={view} />, 'home', { tabTitle: `Home (${attentionCount(view)})` });
  }
}
