/** A kind of record in an export. */
export interface ExportedTable {
  name: 'captures' | 'batches' | 'deliveries' | 'attempts';
  /** The prefix of the ids that determine the record's time. */
  prefix: 'req' | 'batch' | 'dlv';
  /** SQL: the table as `r`, with joins. */
  from: string;
  /** SQL: the key by which rows are sorted. */
  key: string;
  /** SQL: the further columns of the sort order. */
  tieBreaker?: string;
  /** SQL: the values of a record by their names. Each is listed, so that no new column is exported by mistake. */
  values: Readonly<Record<string, string>>;
  /** The retention that removes the record. */
  retention: 'CAPTURE_RETENTION_DAYS' | 'DELIVERY_RETENTION_DAYS';
}

const columns = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, `r.${name}`]));

/**
 * The content of an export. It contains no secrets: secret options are `***` in every row, and their encrypted text, hashes,
 * storage keys and the bodies of events, which contain signed links, are left out.
 */
export const exportedTables: readonly ExportedTable[] = [
  {
    name: 'captures',
    prefix: 'req',
    from: 'capture r',
    key: 'r.id',
    values: {
      ...columns('id account_id batch_id batch_index type status url webhook_url metadata cached format width height'),
      ...columns('file_size duration_ms error_code error_message receipt quality created_at started_at completed_at'),
      // The outputs without their storage keys; null if the files have expired.
      outputs: `(SELECT jsonb_agg(output - 'key' ORDER BY number)
                   FROM jsonb_array_elements(r.outputs) WITH ORDINALITY AS further(output, number))`,
      // Names that begin with an asterisk belong to the platform. Most rows have none, and checking all options would take half
      // of the time.
      options: `CASE WHEN r.options::text LIKE '%"*%'
                     THEN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(r.options) WHERE key NOT LIKE '*%')
                     ELSE r.options END`,
    },
    retention: 'CAPTURE_RETENTION_DAYS',
  },
  {
    name: 'batches',
    prefix: 'batch',
    from: 'batch r',
    key: 'r.id',
    values: columns('id account_id status total succeeded failed cancelled webhook_url created_at completed_at'),
    retention: 'CAPTURE_RETENTION_DAYS',
  },
  {
    name: 'deliveries',
    prefix: 'dlv',
    from: 'delivery r CROSS JOIN LATERAL (SELECT * FROM event WHERE id = r.event_id LIMIT 1) AS e',
    key: 'r.id',
    values: {
      ...columns('id event_id account_id webhook_id url status attempt_count last_status last_error created_at'),
      completed_at: 'r.completed_at',
      event: 'e.name',
      capture_id: 'e.capture_id',
      batch_id: 'e.batch_id',
    },
    retention: 'DELIVERY_RETENTION_DAYS',
  },
  {
    name: 'attempts',
    prefix: 'dlv',
    from: 'delivery_attempt r',
    key: 'r.delivery_id',
    tieBreaker: 'r.number',
    values: columns('delivery_id number trigger started_at duration_ms status error response_excerpt'),
    retention: 'DELIVERY_RETENTION_DAYS',
  },
];
