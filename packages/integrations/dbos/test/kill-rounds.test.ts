import { expect, it } from 'vitest'
import { killRounds, Lane } from './kill-rounds.ts'

it.each(['back', 'gone', 'slow'] as const)(
  'no task loses a step when its workers are %s',
  async (mode) => {
    const report = await killRounds(mode, 2)
    expect(report).toMatchObject({ tasks: 2, lost: 0, otherArguments: 0 })
    expect(report.kills).toBeGreaterThan(1)
  },
  // Not a measure of speed: only the end of a test that hangs.
  900_000,
)

it('a test says why a worker ended by itself', async () => {
  const lane = new Lane('back', { url: 'postgresql://127.0.0.1/none', queue: 'lane', file: 'none', deadAfterMs: 0 })
  await expect(lane.start()).rejects.toThrow(
    /^The worker lane of lane ended with exit code 1\. It wrote:\n.*WorkerReaper\.intervalMs: expected/s,
  )
}, 60_000)
