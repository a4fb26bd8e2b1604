import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RestateServer, startRestate } from '../../../../tools/restate-server.ts'
import { everyMode, killRound, modes } from './kill-rounds.ts'

let server: RestateServer

beforeAll(async () => {
  server = await startRestate()
})
afterAll(() => server.stop())

describe('tasks whose workers are killed', () => {
  it('lose no step in any mode', async () => {
    const report = await killRound(server, everyMode, { tasks: 24, kills: 1 })
    expect(report).toMatchObject({ lost: 0, otherArguments: 0, kills: 2 })
  })

  it('finish in the other worker if one never restarts', async () => {
    const report = await killRound(server, modes['workflow']!, { tasks: 10, kills: 1, isFirstGone: true })
    expect(report).toMatchObject({ lost: 0, otherArguments: 0, kills: 2 })
  })
})
