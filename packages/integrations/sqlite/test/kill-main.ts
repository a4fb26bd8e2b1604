/**
 * Kills a process that writes to a SQLite database, and refuses when an acknowledged operation was lost.
 *
 * @example npm run sqlite-kill -- 200
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeRoundsCommand } from './kill-rounds/store-rounds.ts'
import { killedDatabase } from './killed-database.ts'

const directory = await mkdtemp(join(tmpdir(), 'kill-'))
try {
  await storeRoundsCommand(killedDatabase(join(directory, 'data.db')))
} finally {
  await rm(directory, { recursive: true })
}
