/**
 * @module
 * Reads the tables that `@x/node-parser` finds: finds rows, filters, sorts and pages them, and compares numbers with units. Also
 * returns the file and lines of nodes.
 */
export { findPhrase } from './tables/find-phrase.ts'
export { headingOf, type Place, placeOf, placeText, readPlace } from './tables/place.ts'
export { plainText } from './tables/plain-text.ts'
export { type Comparable, comparable, formatAmount, type Quantity, readQuantity } from './tables/quantity.ts'
export {
  bestRows,
  findColumn,
  findRows,
  isTableNode,
  type ReadTableRow,
  readTable,
  type Table,
} from './tables/table.ts'
export { type FoundRow, foundRow, lookUpTable, type TableLookup, tableLookupProperties } from './tables/table-lookup.ts'
