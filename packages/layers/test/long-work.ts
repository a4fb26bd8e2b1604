/** The agent of the guide "An agent that works for hours", whose text contains this function. */
import { FunctionCallingAgent, journal, type Tool } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { durableAgent, StoredTasks, type TaskRun } from '@x/durable'
import {
  background,
  clearResults,
  cost,
  costOf,
  files,
  longTermMemory,
  offload,
  StoredFiles,
  skills,
  steer,
  subagents,
  todo,
  todosOf,
} from '@x/layers'
import { FileKeyValueStore, FileTaskStore } from '@x/storage/node'

export function openWork(folder: string, { llm, helper, tools }: { llm: BaseLLM; helper: BaseLLM; tools: Tool[] }) {
  const values = new FileKeyValueStore(`${folder}/values.json`)
  // A separate store: the root of a user can be any string.
  const skillValues = new FileKeyValueStore(`${folder}/skills.json`)
  const store = new FileTaskStore(`${folder}/tasks`)
  const root = ({ user }: { user: string }) => user
  const steering = steer(values)
  const money = cost({ large: { input: 3, output: 15 }, small: { input: 0.25, output: 2 } }, { limit: 20 })
  const reviewer = () => FunctionCallingAgent.fromTools({ llm: helper, layers: [files(values, { root }), money] })
  const agent = durableAgent(({ context }: TaskRun<{ user: string; isHelper?: boolean }>) =>
    // Tasks in the background are done by a helper, and have no layer that could start more of them.
    context.isHelper
      ? { llm: helper, tools, layers: [files(values, { root }), money] }
      : {
          llm,
          tools,
          systemPrompt: 'You research and write. Plan first.',
          maxIterations: 500,
          layers: [
            todo(),
            files(values, { root }),
            offload(values, { root, above: 2000 }),
            clearResults({ keep: 5, above: 30_000 }),
            skills(new StoredFiles(skillValues)),
            longTermMemory(values),
            subagents({ reviewer: { agent: reviewer(), description: 'Reviews a file.' } }),
            background(tasks, { wait: true, context: ({ user }: { user: string }) => ({ user, isHelper: true }) }),
            steering,
            money,
          ],
        },
  )
  const onDelete = (taskId: string) => Promise.all([steering.clear(taskId), files(values).clear(taskId)])
  const tasks: StoredTasks = new StoredTasks({ store, agent, onDelete, pollingIntervalMs: 200 })

  /** What a page shows of a task, running or not. */
  const page = async (taskId: string, user: string) => {
    const reader = FunctionCallingAgent.fromTools({ llm, taskStore: journal(store) })
    const task = (await reader.resumeTask(taskId)) ?? undefined
    return { todos: todosOf(task), files: await new StoredFiles(values, user).list(), cost: costOf(task).total }
  }
  return { tasks, steering, values, page }
}
