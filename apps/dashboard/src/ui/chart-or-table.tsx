import { Button, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface ChartOrTableProps<Row> {
  chart: ReactNode;
  /** The heading of the first column. */
  what: string;
  /** The rows, newest first. */
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  columns: readonly { label: string; figureOf: (row: Row) => string }[];
}

/** Shows figures as a chart, or as a table for exact numbers and for screen readers. */
export function ChartOrTable<Row>({ chart, what, rows, nameOf, columns }: ChartOrTableProps<Row>) {
  const [asTable, { toggle }] = useDisclosure();
  return (
    <>
      {asTable ? (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{what}</Table.Th>
              {columns.map(({ label }) => (
                <Table.Th key={label} ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={nameOf(row)}>
                <Table.Td>{nameOf(row)}</Table.Td>
                {columns.map(({ label, figureOf }) => (
                  <Table.Td key={label} ta="right">
                    {figureOf(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      ) : (
        <div aria-hidden>{chart}</div>
      )}
      <Button mt="md" size="xs" variant="default" onClick={toggle} aria-pressed={asTable}>
        {asTable ? 'Show as a chart' : 'Show as a table'}
      </Button>
    </>
  );
}
