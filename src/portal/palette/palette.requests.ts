import { SingleLineText } from '../../platform/http/fields';

/** What was typed into the palette, and the page that it is above. */
export class PaletteQuery {
  @SingleLineText(200, { optional: true })
  q?: string;

  @SingleLineText(2_000, { optional: true })
  path?: string;
}
