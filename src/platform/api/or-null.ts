/** The schema with null beside its values: in OpenAPI 3.0 `nullable` widens the type alone, and an `enum` names all there is. */
export const orNull = <Schema extends { readonly enum?: unknown }>(schema: Schema) => ({
  ...schema,
  nullable: true,
  ...(Array.isArray(schema.enum) && { enum: [...(schema.enum as readonly unknown[]), null] }),
});
