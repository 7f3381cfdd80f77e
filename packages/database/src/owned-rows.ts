/**
 * SQL for the first rows of one account, by id, in a table where it may own many: `ownedBy` in the conditions, `ownerOrder`
 * before the id in the order. Together they leave the planner only an index that begins with the owner. With
 * `owner = $1 ORDER BY id` it takes the primary key for an account that owns a tenth of all rows, expecting every tenth row
 * to match, and reads the newest rows of all accounts: a month of them if the account was inactive for a month. A list of
 * one owner has the same rows, but an order of its own.
 */
export const ownedBy = (column: string, parameter: string) => `${column} = ANY (ARRAY[${parameter}::text])`;

/** In an index the ids of an owner are stored newest first; read backwards, the owners are reversed too. */
export const ownerOrder = (column: string, order: 'ASC' | 'DESC') => `${column} ${order === 'DESC' ? 'ASC' : 'DESC'}`;
