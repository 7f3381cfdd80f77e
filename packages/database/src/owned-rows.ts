/**
 * SQL for the first rows, by id, of somebody who has many: `ownedBy` in the conditions, `owned` before the id in the order.
 * Together they leave the planner only an index that begins with the owner. With `owner = $1 ORDER BY id` it would take the
 * primary key for one who has a tenth of all rows, as every tenth row must be his, and read the newest of everybody: all
 * of the last month's, where he has been away for a month. A list of one has the same rows, and an order of its own.
 */
export const ownedBy = (column: string, parameter: string) => `${column} = ANY (ARRAY[${parameter}::text])`;

/** In an index the ids of an owner stand the newest first; read backwards, its owners are too. */
export const owned = (column: string, order: 'ASC' | 'DESC') => `${column} ${order === 'DESC' ? 'ASC' : 'DESC'}`;
