import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { FORMATS } from '../formats';
import { mono, text } from './fonts';
import { FontFallback } from './font-fallback';
import { documentOf } from './report-document';
import { typeset } from './typeset';

/** The typesetter recognizes the format of a picture by the end of its name. */
const PATHS = { 'image/png': '/logo.png', 'image/jpeg': '/logo.jpg' } as const;

/** A document to print, send and file, tagged for screen readers (PDF/UA-1). */
export class PdfRenderer implements ReportRenderer {
  readonly contentType = FORMATS.pdf.contentType;
  readonly extension = FORMATS.pdf.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    try {
      return await this.renderWith(snapshot);
    } catch (error) {
      if (snapshot.logo === null) throw error;
      // The typesetter cannot read the logo.
      return this.renderWith({ ...snapshot, logo: null });
    }
  }

  private renderWith(snapshot: ReportSnapshot): Promise<Buffer> {
    const fonts = new FontFallback();
    const { logo } = snapshot;
    const path = logo === null ? null : PATHS[logo.media_type];
    const document = documentOf(snapshot, fonts, path);
    const pictures = logo === null || path === null ? [] : [{ path, content: Buffer.from(logo.base64, 'base64') }];
    return typeset(
      document,
      [text, mono, ...fonts.families].flatMap(({ fonts }) => fonts()),
      pictures,
    );
  }
}
