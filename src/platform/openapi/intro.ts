export const intro = `Assay tracks the assets of organizations and the security findings recorded on them.
**A finding is tested, not believed.**

- Every operation takes HTTP Basic credentials: the API key as username, the API secret as password.
- Every error response has the same four fields: \`code\`, \`name\`, \`description\`, \`success\`.
- A record of another organization returns the same 404 as a record that does not exist.
- Lists accept \`page\` and \`per_page\`, newest first. The \`Link\` header contains the next and the previous page.
- A POST with an \`Idempotency-Key\` can be repeated. It has its effect once and returns the same response.
- Changes within v1 are additive. Ignore unknown fields.`;
