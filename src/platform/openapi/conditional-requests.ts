/** The components of conditional requests, to which operations refer. */
export const conditionalComponents = {
  parameters: {
    IfMatch: {
      name: 'If-Match',
      in: 'header' as const,
      required: false,
      description:
        'Changes the record only if it still has this ETag; otherwise the response is 412, and nothing changes. A list of ETags and `*` (any) are possible. A weak ETag (`W/`) never matches.',
      // No example: the documentation page would send it with all requests.
      schema: { type: 'string' as const },
    },
    IfNoneMatch: {
      name: 'If-None-Match',
      in: 'header' as const,
      required: false,
      description: 'If the record still has this ETag, the response is 304 without a body.',
      schema: { type: 'string' as const },
    },
  },
  headers: {
    EntityTag: {
      description:
        'Changes with everything that reading the record shows, and with nothing else. Send it as `If-Match` with a change of the record.',
      schema: { type: 'string' as const },
    },
  },
};

export const ifMatch = { $ref: '#/components/parameters/IfMatch' };

export const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };

export const entityTagHeader = { ETag: { $ref: '#/components/headers/EntityTag' } };
