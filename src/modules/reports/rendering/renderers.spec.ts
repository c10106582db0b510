import { REPORT_FORMATS } from '../domain/report-options';
import { formats } from './formats';
import { renderers } from './renderers';

it.each(REPORT_FORMATS)('%s is sent with the media type and extension of its renderer', (format) => {
  const { contentType, extension } = renderers[format];
  expect({ contentType, extension }).toEqual(formats[format]);
});
