import { expect, it } from 'vitest'
import * as sqlite from './index.ts'

it('has these error codes', () => {
  const errors = [
    new sqlite.SqliteBusyError('p'),
    new sqlite.SqliteDamagedError('p'),
    new sqlite.SqliteFullError('p'),
    new sqlite.SqliteOpenError('p', 'why'),
    new sqlite.SqliteReadOnlyError('p'),
    new sqlite.SqliteVersionError('p', 1, 2),
  ]
  expect(errors.map(({ name, code }) => `${name} ${code}`)).toEqual([
    'SqliteBusyError sqlite_busy',
    'SqliteDamagedError sqlite_damaged',
    'SqliteFullError sqlite_full',
    'SqliteOpenError sqlite_open',
    'SqliteReadOnlyError sqlite_readonly',
    'SqliteVersionError sqlite_version',
  ])
})
