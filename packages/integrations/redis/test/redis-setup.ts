/** For `globalSetup` of Vitest: starts a Redis server for all tests of a package. Its address is in the environment variable REDIS_URL. */
import { startRedis } from './redis-server.ts'

export default async function setup(): Promise<() => Promise<void>> {
  const server = await startRedis()
  process.env['REDIS_URL'] = server.url
  return () => server.stop()
}
