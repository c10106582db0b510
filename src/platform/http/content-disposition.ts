import { create } from 'content-disposition';

/** Control characters, characters that reverse the text direction, and characters with a meaning in paths. */
const UNSAFE_CHARACTERS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|%]+/gu;

const MAX_STEM_LENGTH = 120;

/** A header with a safe file name, and an ASCII fallback for old clients (RFC 6266). */
export function contentDisposition(name: string): string {
  const safe = name.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
  const dot = safe.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [safe, ''] : [safe.slice(0, dot), safe.slice(dot)];
  const full = stem.slice(0, MAX_STEM_LENGTH).toWellFormed().trim() + extension;
  const ascii = full.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|-+(?=\.)/g, '');
  return create(full, { fallback: ascii });
}
