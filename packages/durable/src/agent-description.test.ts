import { FunctionTool, ReActAgent } from '@x/agents'
import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { checkDescription, describeAgent } from './agent-description.ts'

const tool = (name: string, type: 'string' | 'number' = 'string') =>
  FunctionTool.fromDefaults({ name, schema: { type: 'object', properties: { to: { type } } }, fn: () => 'ok' })
const described = (tools: FunctionTool[], version?: string) =>
  describeAgent(ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: [] }), tools }), version)

it('describes an agent by its version and its tools with their parameters', () => {
  const description = described([tool('pay'), tool('note')])
  expect(Object.keys(description)).toEqual(['version', 'tool "pay"', 'tool "note"'])
  expect(described([tool('pay'), tool('note')])).toEqual(description)
  expect(described([tool('pay', 'number'), tool('note')])).not.toEqual(description)
  expect(describeAgent({ agentWorker: {} }, '2')).toEqual({ version: '2' })
})

it('lets an agent with more tools continue, and names what else has changed', () => {
  const recorded = described([tool('pay'), tool('note')], '1')
  checkDescription('t', recorded, described([tool('pay'), tool('note'), tool('look')], '1'))
  expect(() => checkDescription('t', recorded, described([tool('pay')], '2'))).toThrow(
    expect.objectContaining({
      code: 'run_changed',
      taskId: 't',
      retryable: true,
      message:
        'Task "t" was started by different code: its version has changed from "1" to "2", its tool "note" was removed. Serve the earlier code until its runs have ended, or end this one.',
    }),
  )
})
