/** One column in the summary of a table. */
export type TableColumn = {
  colName: string
  colType: string
  summary: string | null
}
