/** What no file's name holds: control characters, what turns the direction of text around, and what paths are made of. */
const unfit = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069/\\:*?"<>|%]+/gu;

const longest = 120;

const percent = (text: string): string =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** A file to be kept, under this name: in ASCII for those who read nothing else, in full for all others (RFC 6266). */
export function dispositionOf(name: string): string {
  const fit = name.toWellFormed().replace(unfit, ' ').replace(/\s+/g, ' ').trim();
  const dot = fit.lastIndexOf('.');
  const [stem, extension] = dot < 0 ? [fit, ''] : [fit.slice(0, dot), fit.slice(dot)];
  const whole = stem.slice(0, longest).toWellFormed().trim() + extension;
  const plain = whole.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|-+(?=\.)/g, '');
  return `attachment; filename="${plain}"; filename*=UTF-8''${percent(whole)}`;
}
