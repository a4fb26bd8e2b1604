import type { DBOSClient } from '@dbos-inc/dbos-sdk'
import { expect, it } from 'vitest'
import { rounds, someOf } from '../../../../tools/extent.ts'
import { killRounds, killWorker, Lane } from './kill-rounds.ts'

it.each(someOf(['back', 'gone', 'slow'] as const, 2))(
  'no task loses a step when its workers are %s',
  async (mode) => {
    const report = await killRounds(mode, rounds(2, 4))
    expect(report).toMatchObject({ lost: 0, wrongAnswers: 0, otherArguments: 0, repeatedSaved: 0 })
    expect(report.kills).toBeGreaterThanOrEqual(2)
  },
  // Not a measure of speed: only the end of a test that hangs.
  900_000,
)

it('a test says why a worker ended by itself', async () => {
  const dbos = {} as DBOSClient // not reached
  const options = { url: 'postgresql://127.0.0.1/none', queue: 'lane', deadAfterMs: 0, dbos }
  const lane = new Lane('back', { ...options, program: await killWorker() })
  await expect(lane.start('none')).rejects.toThrow(
    /^The worker lane of lane ended with exit code 1\. It wrote:\n.*WorkerReaper\.intervalMs: expected/s,
  )
}, 60_000)
