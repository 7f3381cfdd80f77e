// Only `prisma generate` reads this file: generating the client connects to no database and downloads nothing.
export default { schema: '../../prisma/schema.prisma' };
