import { Controller, Get, Query } from '@nestjs/common';
import { Fragment } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PaletteReader } from './palette-reader';
import { PaletteResults } from './palette-results';
import { PaletteQuery } from './palette.requests';

@Controller('o/:organization/palette')
export class PaletteController {
  constructor(private readonly reader: PaletteReader) {}

  @Get()
  async results(@InOrganization() place: Place, @Query() query: PaletteQuery): Promise<Fragment> {
    return new Fragment(<PaletteResults view={await this.reader.read(place, query)} />);
  }
}
