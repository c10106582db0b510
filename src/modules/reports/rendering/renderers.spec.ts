import { REPORT_FORMATS } from '../domain/report-options';
import { FORMATS } from './formats';
import { RENDERERS } from './renderers';

it.each(REPORT_FORMATS)('%s is sent with the media type and extension of its renderer', (format) => {
  const { contentType, extension } = RENDERERS[format];
  expect({ contentType, extension }).toEqual(FORMATS[format]);
});
