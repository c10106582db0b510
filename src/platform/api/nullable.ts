interface Schema {
  readonly enum?: unknown;
  /** A reference to another schema. */
  readonly allOf?: readonly object[];
}

/**
 * The schema, with null as a further value. In OpenAPI 3.0 `nullable` affects the type alone: an `enum` has to list null, and
 * a referenced schema still requires an object.
 */
export function nullable<S extends Schema>(schema: S) {
  const { allOf, ...rest } = schema;
  if (allOf !== undefined) return { ...rest, oneOf: [...allOf, { type: 'object', nullable: true, enum: [null] }] };
  return {
    ...schema,
    nullable: true,
    ...(Array.isArray(schema.enum) && { enum: [...(schema.enum as readonly unknown[]), null] }),
  };
}
