import { expect, it } from 'vitest'
import { ReplayGate } from './replay-gate.ts'

it('drops what was reported before a recorded call, and reports what comes before a new one', () => {
  const seen: string[] = []
  const gate = new ReplayGate()
  gate.ends.push(() => seen.push('the replay is over'))
  gate.around = (work) => {
    seen.push('around')
    return work()
  }
  gate.deliver(() => seen.push('earlier'))
  gate.passed()
  gate.deliver(() => seen.push('held'))
  expect([seen, gate.isOver]).toEqual([[], false])
  expect(gate.run(() => 'result')).toBe('result')
  gate.passed()
  gate.deliver(() => seen.push('later'))
  gate.run(() => {})
  expect(seen).toEqual(['the replay is over', 'held', 'around', 'later', 'around'])
  expect(gate.isOver).toBe(true)
})
