import { z } from 'zod';

/** Returns the types that a field may have, without the wrappers that make it optional. */
export function plainTypes(field: z.core.$ZodType): z.core.$ZodType[] {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return plainTypes(field.unwrap());
  }
  return field instanceof z.ZodUnion ? field.options.flatMap(plainTypes) : [field];
}

/** Returns the objects that a schema accepts, before transforms. */
export function objectsOf(schema: z.core.$ZodType): z.ZodObject[] {
  const plain = schema instanceof z.ZodPipe ? [schema.in] : plainTypes(schema);
  return plain.filter((type) => type instanceof z.ZodObject);
}
