import { expect, it } from 'vitest'
import { killRounds } from './kill-rounds.ts'

it.each(['back', 'gone', 'slow'] as const)(
  'no task loses a step when its workers are %s',
  async (mode) => {
    const report = await killRounds(mode, 2)
    expect(report).toMatchObject({ tasks: 2, lost: 0, otherArguments: 0 })
    expect(report.kills).toBeGreaterThan(1)
  },
  60_000,
)
