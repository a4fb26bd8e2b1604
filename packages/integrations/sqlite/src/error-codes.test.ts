import { expect, it } from 'vitest'
import * as sqlite from './index.ts'

it('has these error codes', () => {
  const { SqliteBusyError, SqliteOpenError, SqliteVersionError } = sqlite
  const errors = [new SqliteBusyError('p'), new SqliteOpenError('p', 'why'), new SqliteVersionError('p', 1, 2)]
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual([
    'SqliteBusyError sqlite_busy',
    'SqliteOpenError sqlite_open',
    'SqliteVersionError sqlite_version',
  ])
})
