/** Pools of connections for programs outside of the workspace, which cannot import pg. */
import pg from 'pg'

/** Returns a pool of a server. */
export function newPool(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString })
}
