/**
 * Writes to a database until it is killed.
 *
 * @example node --conditions=@x/source test/kill-worker.ts data.db 1000
 */

import { openDatabase } from '../src/index.ts'
import { writeUntilKilled } from './kill-rounds/killed-stores.ts'
import { storesOf } from './killed-database.ts'

const [path = '', first = '0'] = process.argv.slice(2)
await writeUntilKilled(storesOf(await openDatabase(path)), Number(first))
