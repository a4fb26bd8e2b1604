import { ToolOutput } from '@x/core-model'
import { describe, expect, it } from 'vitest'
import { adaptToAsyncTool, type BaseTool } from './base-tool.ts'
import { FunctionTool } from './function-tool.ts'
import { ToolMetadata } from './tool-metadata.ts'

const shout: BaseTool = {
  metadata: new ToolMetadata({ name: 'shout', description: 'Repeats loudly.' }),
  call: (input) =>
    new ToolOutput({ content: input.toUpperCase(), toolName: 'shout', rawInput: { input }, rawOutput: input }),
}

describe('adaptToAsyncTool', () => {
  it('converts a tool that receives a string to one with the argument `input`', async () => {
    const tool = adaptToAsyncTool(shout)
    expect(tool.metadata).toBe(shout.metadata)
    expect(String(await tool.call({ input: 'hey' }))).toBe('HEY')
  })

  it('rejects arguments other than one string', () => {
    const tool = adaptToAsyncTool(shout)
    for (const [args, paths] of [
      [{}, ['input']],
      [{ input: 5 }, ['input']],
      [{ input: 'a', more: 1 }, ['more']],
    ] as const) {
      const issues = paths.map((path) => expect.objectContaining({ path }))
      expect(() => tool.call(args)).toThrow(expect.objectContaining({ code: 'tool_input', issues }))
    }
  })

  it('returns a tool that receives arguments unchanged', () => {
    const tool = FunctionTool.fromDefaults({
      name: 'add',
      description: 'Adds.',
      schema: { type: 'object', properties: {} },
      fn: () => 0,
    })
    expect(adaptToAsyncTool(tool)).toBe(tool)
  })
})
