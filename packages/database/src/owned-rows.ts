/**
 * SQL for the first rows of one account, by id, in a table in which an account may own many rows: `ownedBy` belongs in the
 * conditions, `ownerOrder` before the id in the order. Together they leave the planner only an index that begins with the owner.
 * With `owner = $1 ORDER BY id` the planner takes the primary key for an account that owns a tenth of all rows, because it
 * expects every tenth row to match. It then reads the newest rows of all accounts: a month of them if the account was inactive
 * for a month. For the planner, comparing with a list of one owner does not make the order by owner redundant.
 */
export const ownedBy = (column: string, parameter: string) => `${column} = ANY (ARRAY[${parameter}::text])`;

/** In an index the ids of an owner are stored newest first. Reading the index backwards also reverses the owners. */
export const ownerOrder = (column: string, order: 'ASC' | 'DESC') => `${column} ${order === 'DESC' ? 'ASC' : 'DESC'}`;
