import { expect, it } from 'vitest'
import { someOf } from '../../../../tools/extent.ts'
import { killRounds, type Mode, modes } from './kill-rounds.ts'

it.each(someOf(Object.keys(modes) as Mode[], 2))(
  'no task loses a step when its workers and the server are killed: %s',
  async (mode) => {
    const report = await killRounds(mode, 2, { everySo: 2 })
    expect(report).toMatchObject({ lost: 0, wrongAnswers: 0, otherArguments: 0, repeatedSaved: 0 })
    expect(report.kills).toBeGreaterThanOrEqual(2)
    expect(report.restarts).toBeGreaterThan(0)
  },
  // Not a measure of speed: only the end of a test that hangs.
  600_000,
)
