/**
 * A durable agent: every step of the task is in `tasks.db` before the next one starts. The task waits for a person, and
 * any process that has the file continues it.
 */
import { FunctionCallingAgent, FunctionTool, journal, keepWithin } from '@x/agents'
import { isToolkitError } from '@x/core-model'
import { openDatabase, SqliteTaskStore } from '@x/sqlite'
import { modelOr } from './model.ts'
import { callTool } from './script.ts'

const taskId = 'order-7'
const pay = FunctionTool.fromDefaults({
  name: 'pay',
  description: 'Pays an amount to a person.',
  schema: {
    type: 'object',
    properties: { person: { type: 'string' }, euros: { type: 'number' } },
    required: ['person', 'euros'],
  },
  needsApproval: true,
  // After a crash within this function it is called again with the same key: pass it to the bank.
  fn: ({ person, euros }, { idempotencyKey }) => `Paid ${euros} EUR to ${person}, key ${idempotencyKey}.`,
})

const database = await openDatabase('tasks.db')
const agent = FunctionCallingAgent.fromTools({
  llm: modelOr(callTool('pay', () => ({ person: 'Ann', euros: 20 }))),
  tools: [pay],
  taskStore: journal(new SqliteTaskStore(database)),
  contextWindow: keepWithin(),
})

if (process.argv[2] === 'approve') {
  await agent.resumeTask(taskId)
  for (const { id } of agent.getPendingApprovals(taskId)) await agent.approve(taskId, id, { by: 'me' })
}
try {
  // Begins the task, or continues the stored one with this id.
  console.log(String(await agent.chat('Pay Ann 20 EUR for order 7.', { taskId, chatHistory: [] })))
} catch (error) {
  if (!isToolkitError(error, 'approval_required')) throw error
  for (const { name, arguments: args } of agent.getPendingApprovals(taskId))
    console.log(`${taskId} waits for a person: ${name}(${args})`)
} finally {
  database.close()
}
