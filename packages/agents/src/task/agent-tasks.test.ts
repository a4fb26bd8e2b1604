import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { AgentTool } from '../tool/agent-tool.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { MemoryTaskStore } from './memory-task-store.ts'

const act = (name: string, input: string) => `Thought: t\nAction: ${name}\nAction Input: ${input}`

/** An agent with an agent behind a tool that pays twice, each time after an approval. */
function payers(taskStore: ReturnType<typeof journal>, paid: string[]) {
  const tool = (name: string) =>
    FunctionTool.fromDefaults({
      name,
      schema: {},
      needsApproval: true,
      fn: (_args, { idempotencyKey = '' }) => {
        paid.push(`${name} ${idempotencyKey}`)
        return 'paid'
      },
    })
  const observed = (answers: readonly string[]) =>
    new ScriptedLLM({
      answers: (messages) => answers[messages.filter(({ content }) => /^Observation:/.test(String(content))).length]!,
    })
  const inner = ReActAgent.fromTools({
    llm: observed([act('rent', '{}'), act('tax', '{}'), 'Answer: Both are paid.']),
    tools: [tool('rent'), tool('tax')],
  })
  const tools = [new AgentTool({ agent: inner, name: 'accountant' })]
  return ReActAgent.fromTools({
    llm: observed([act('accountant', '{"input": "Pay!"}'), 'Answer: Done.']),
    tools,
    taskStore,
  })
}

it('a task that leaves its store continues after undo where its agent waits, without a second effect', async () => {
  const paid: string[] = []
  const stored = payers(journal(new MemoryTaskStore()), paid)
  await expect(stored.chat('Go!', { taskId: 'T' })).rejects.toMatchObject({ code: 'approval_required' })
  await stored.approve('T', stored.getPendingApprovals('T')[0]!.id)
  await expect(stored.runTask('T')).rejects.toMatchObject({ code: 'approval_required' })

  const agent = payers(journal(), paid)
  await agent.loadTask(JSON.parse(JSON.stringify(stored.saveTask('T'))))
  await agent.undoStep('T')
  await expect(agent.runTask('T')).rejects.toMatchObject({ code: 'approval_required' })
  await agent.approve('T', agent.getPendingApprovals('T')[0]!.id)
  expect(String(await agent.runTask('T'))).toBe('Done.')
  expect(paid).toEqual(['rent T/1/0/1/0', 'tax T/1/0/3/0'])
})
