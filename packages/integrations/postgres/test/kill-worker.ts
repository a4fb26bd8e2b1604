/**
 * Writes to a database until it is killed.
 *
 * @example node --conditions=@x/source test/kill-worker.ts postgresql://… 1000
 */
import pg from 'pg'
import { writeUntilKilled } from '../../sqlite/test/kill-rounds/killed-stores.ts'
import { openDatabase } from '../src/index.ts'
import { storesOf, WRITER } from './killed-database.ts'

const [connectionString = '', first = '0'] = process.argv.slice(2)
const database = await openDatabase(new pg.Pool({ connectionString, application_name: WRITER }))
await writeUntilKilled(storesOf(database), Number(first))
