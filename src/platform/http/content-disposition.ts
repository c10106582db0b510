import { create } from 'content-disposition';

/** Control characters, characters that reverse the text direction, and characters with a meaning in paths. */
const UNSAFE_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069/\\:*?"<>|%]+/gu;

const MAX_STEM_LENGTH = 120;

const MAX_EXTENSION_LENGTH = 40;

function safeName(name: string): string {
  const safe = name.toWellFormed().replace(UNSAFE_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
  const dot = safe.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [safe, ''] : [safe.slice(0, dot), safe.slice(dot, dot + MAX_EXTENSION_LENGTH)];
  return stem.slice(0, MAX_STEM_LENGTH).toWellFormed().trim() + extension.toWellFormed();
}

/** The name of a file that somebody has uploaded, without the folders before it, safe to store and to show. */
export function uploadedName(path: string): string {
  const name = safeName(path.split(/[/\\]/).at(-1) ?? '');
  return /^\.*$/.test(name) ? 'file' : name;
}

/** A header with a safe file name, and an ASCII fallback for old clients (RFC 6266). */
export function contentDisposition(name: string): string {
  const full = safeName(name);
  const ascii = full.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|-+(?=\.)/g, '');
  return create(full, { fallback: ascii });
}
