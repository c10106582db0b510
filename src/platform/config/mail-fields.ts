import { z } from 'zod';
import { parseUrl } from '../../kernel/parse-url';

export const smtpUrl = z
  .string()
  .refine((text) => /^smtps?:\/\//.test(text) && parseUrl(text) !== null, 'must be an smtp:// or smtps:// URL');

export const mailAddress = z
  .string()
  .max(320, 'must be at most 320 characters')
  .regex(
    /^(?:[^<>"@\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
    'must be an e-mail address, also with a name, such as Assay <assay@example.com>',
  );
