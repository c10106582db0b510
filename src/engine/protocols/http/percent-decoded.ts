/** Returns the text unchanged if it contains an invalid percent-encoding. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
