export const intro = `Assay tracks the assets of organizations and the security findings recorded on them.
**A finding is tested, not believed.**

- Every operation takes HTTP Basic credentials: the API key as username, the API secret as password.
- Every answer that is no success has the same four fields: \`code\`, \`name\`, \`description\`, \`success\`.
- Another organization's record is answered exactly like one that does not exist: 404.
- Lists take \`page\` and \`per_page\`, newest first; the \`Link\` header names the next and the previous page.
- A POST with an \`Idempotency-Key\` may be sent again: it has its effect once, and the same answer.
- Within v1 changes are additive: ignore fields that you do not know.`;
