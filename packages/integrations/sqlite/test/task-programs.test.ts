// @module-tag system
import { expect, it } from 'vitest'
import { rounds } from '../../../../tools/extent.ts'
import { runProgram } from './task-programs/program.ts'

it('durable tasks do what random programs ask for, in memory and on SQLite', async () => {
  const faults: string[] = []
  for (let seed = 1; seed <= rounds(20, 200); seed++) {
    const fault = await runProgram(seed)
    if (fault !== null) faults.push(fault)
  }
  expect(faults).toEqual([])
}, 900_000)
