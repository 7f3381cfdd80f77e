// Read by `prisma generate` alone: the client reaches no database and downloads nothing while it is made.
export default { schema: '../../prisma/schema.prisma' };
