import { checkOption, required } from '@x/core/options'
import type { SqliteDatabase } from './sqlite-database.ts'

const aDatabase = required('a database of openDatabase', 'all', 'transaction')

/** Returns the database of a store. @throws {ModelValidationError} for anything else, such as an object of options. */
export function opened(where: string, database: SqliteDatabase): SqliteDatabase {
  checkOption(where, 'database', database, aDatabase)
  return database
}
