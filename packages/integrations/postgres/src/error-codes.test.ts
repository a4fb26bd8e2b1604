import { expect, it } from 'vitest'
import * as postgres from './index.ts'

it('has these error codes', () => {
  const { PostgresConflictError, PostgresConnectionError, PostgresVersionError } = postgres
  const errors = [
    new PostgresConflictError(10),
    new PostgresConnectionError({ cause: new Error('gone') }),
    new PostgresVersionError('t', 1, 2),
  ]
  expect(errors.map(({ name, code, message }) => `${name} ${code}: ${message}`)).toMatchInlineSnapshot(`
    [
      "PostgresConflictError postgres_conflict: Other transactions changed the same data 10 times in a row; repeat the operation.",
      "PostgresConnectionError postgres_connection: There is no connection to the Postgres server: gone; repeat the operation.",
      "PostgresVersionError postgres_version: t: expected tables of version 1 or older, received version 2; use a newer @x/postgres.",
    ]
  `)
})
