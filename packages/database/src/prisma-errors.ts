import { Prisma } from './generated/client.ts';

/** Whether a row with the same unique key already exists. */
export const isUniqueViolation = (error: unknown) => hasCode(error, 'P2002');

/** Whether the row that the new row refers to does not exist. */
export const isForeignKeyViolation = (error: unknown) => hasCode(error, 'P2003');

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}
