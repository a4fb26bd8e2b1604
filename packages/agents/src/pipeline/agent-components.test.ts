import { expect, it } from 'vitest'
import { FunctionTool } from '../tool/function-tool.ts'
import { ToolRunnerComponent } from './agent-components.ts'

it('ToolRunnerComponent rejects calls that need approval', async () => {
  const sent: unknown[] = []
  const send = FunctionTool.fromDefaults({
    name: 'send',
    schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    needsApproval: ({ to }) => to.endsWith('@example.org'),
    fn: ({ to }) => sent.push(to),
  })
  const run = (to: string) =>
    new ToolRunnerComponent({ tools: [send] }).runComponent({ tool_name: 'send', tool_input: { to } })
  await expect(run('ann@example.org')).rejects.toMatchObject({ code: 'approval' })
  await run('me')
  expect(sent).toEqual(['me'])
})
