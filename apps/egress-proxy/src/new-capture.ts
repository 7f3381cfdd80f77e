import { z } from 'zod';

const count = z.number().int().positive();

/** The body of `POST /captures`, as text. `own` adds to the addresses that the service itself closes. */
export const newCapture = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      budget: z.object({ connections: count.exactOptional(), bytes: count.exactOptional() }),
      own: z
        .array(
          z.object({
            address: z.union([z.ipv4(), z.ipv6()]).exactOptional(),
            port: z.number().int().min(0).max(65_535),
          }),
        )
        .max(64),
    }),
  );
