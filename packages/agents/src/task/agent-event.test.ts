import { ToolOutput } from '@x/core-model'
import { expect, it } from 'vitest'
import { toolResultEvent } from './agent-event.ts'

it('the output of a result has maps and sets as the model reads them', () => {
  const rawOutput = { pears: new Map([['green', 3]]), pairs: new Map([[1, 2n ** 60n]]), colours: new Set(['red']) }
  const output = new ToolOutput({ content: '', toolName: 'stock', rawInput: {}, rawOutput })
  const event = toolResultEvent({ id: 'c', name: 'stock', arguments: '{}' }, output)
  const shown = { pears: { green: 3 }, pairs: [[1, '1152921504606846976']], colours: ['red'] }
  expect(event).toMatchObject({ type: 'tool_result', output: shown })
})
