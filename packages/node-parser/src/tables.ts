/**
 * @module
 * One model of tables for all sources. Entry `@x/node-parser/tables`.
 */

export type { TableData } from './markdown-element/element.ts'
export { markdownTable, type TableCell, type TableGroup, tableOfCells } from './markdown-element/markdown-table.ts'
