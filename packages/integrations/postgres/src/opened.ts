import { checkOption, required } from '@x/core/options'
import type { PostgresDatabase } from './postgres-database.ts'

const aDatabase = required('a database of openDatabase', 'query', 'transaction')

/** Returns the database of a store. @throws {ModelValidationError} for anything else, such as an object of options. */
export function opened(where: string, database: PostgresDatabase): PostgresDatabase {
  checkOption(where, 'database', database, aDatabase)
  return database
}
