import { createHash } from 'node:crypto';
import { Attachment } from '../../../platform/http/attachment';
import { CSV_TEMPLATE } from '../../../scanner-files';

const content = Buffer.from(CSV_TEMPLATE);

/** A CSV file to fill in, whose columns need no mapping. */
export const csvTemplate = (): Attachment =>
  new Attachment({
    contentType: 'text/csv',
    name: 'assay-import.csv',
    size: content.length,
    digest: createHash('sha256').update(content).digest('hex'),
    read: async function* ({ from, to }) {
      yield content.subarray(from, to + 1);
    },
  });
