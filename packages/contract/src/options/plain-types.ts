import { z } from 'zod';

/** The types that a field may have, without what says that it may be left out. */
export function plainTypes(field: z.core.$ZodType): z.core.$ZodType[] {
  if (field instanceof z.ZodDefault || field instanceof z.ZodOptional || field instanceof z.ZodNullable) {
    return plainTypes(field.unwrap());
  }
  return field instanceof z.ZodUnion ? field.options.flatMap(plainTypes) : [field];
}

/** The objects that a schema may be, before what is filled into them. */
export function objectsOf(schema: z.core.$ZodType): z.ZodObject[] {
  const plain = schema instanceof z.ZodPipe ? [schema.in] : plainTypes(schema);
  return plain.filter((type) => type instanceof z.ZodObject);
}
