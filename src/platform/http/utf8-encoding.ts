import { isUtf8 } from 'node:buffer';
import { type DomainError, invalid } from '../../kernel/domain-error';
import { shownName } from './request-fields';

function isEncodedUtf8(text: string): boolean {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

/**
 * The refusal of a form or a query with bytes or escapes (`%ff`) that are not UTF-8. Parsers replace such bytes, or keep the
 * escapes as text.
 */
export function refusalUnlessUtf8(encoded: string): DomainError | undefined {
  if (isEncodedUtf8(encoded)) return undefined;
  const [name = ''] =
    encoded
      .split('&')
      .find((field) => !isEncodedUtf8(field))
      ?.split('=') ?? [];
  return invalid(`${shownName(name)} must be UTF-8.`);
}

/** The query of a request target, as it was sent. */
export const encodedQuery = (target: string): string => /\?(.*)$/s.exec(target)?.[1] ?? '';
