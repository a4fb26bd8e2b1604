import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { functionCallingLlm, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { QueryResponse } from '../answer/query-response.ts'
import { journal } from '../journal.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { QueryEngineTool } from '../tool/query-engine-tool.ts'
import type { SavedTask } from './versions.ts'

const ask = new QueryEngineTool({
  name: 'ask',
  queryEngine: { query: () => new QueryResponse({ response: 'It is.' }) },
})

function newAgent(): ReActAgent {
  const answers = ['Thought: Look.\nAction: ask\nAction Input: {"input": "it"}']
  let id = 0
  return ReActAgent.fromTools({
    llm: new ScriptedLLM({ answers }),
    tools: [ask],
    taskStore: journal(),
    newId: () => `id-${++id}`,
  })
}

async function savedAfterOneStep(): Promise<SavedTask> {
  const agent = newAgent()
  const { taskId } = await agent.createTask('Is it?', { taskId: 't', extraState: { when: new Date(0) } })
  await agent.runStep(taskId)
  return agent.saveTask(taskId)
}

it('has this form', async () => {
  const saved = await savedAfterOneStep()
  expect(JSON.parse(JSON.stringify(saved))).toMatchInlineSnapshot(`
    {
      "completed_steps": [
        {
          "next_steps": [
            {
              "step_id": "id-2",
            },
          ],
          "task_step": {
            "input": "Is it?",
            "step_id": "id-1",
            "step_state": {
              "is_first": false,
            },
          },
          "turn": [
            "Observation: It is.",
            1,
            [
              1,
              1,
              0,
              0,
              0,
              0,
              0,
            ],
          ],
        },
      ],
      "conversation": [],
      "conversation_id": null,
      "finalized": false,
      "memory_length": null,
      "open_steps": {},
      "owns_conversation": false,
      "step_queue": [
        {
          "step_id": "id-2",
          "step_state": {
            "is_first": false,
          },
        },
      ],
      "steps_started": 1,
      "task": {
        "extra_state": {
          "current_reasoning": [
            {
              "action": "ask",
              "actionInput": {
                "input": "it",
              },
              "kind": "action",
              "thought": "Look.",
            },
            {
              "kind": "observation",
              "observation": "It is.",
            },
          ],
          "n_function_calls": 1,
          "n_iterations": 1,
          "new_memory": {
            "$kind": "ChatMemoryBuffer",
            "value": {
              "chat_store": {
                "class_name": "SimpleChatStore",
                "store": {},
              },
              "chat_store_key": "chat_history",
              "class_name": "ChatMemoryBuffer",
              "messages": [
                {
                  "$kind": "ChatMessage",
                  "value": {
                    "additional_kwargs": {},
                    "content": "Is it?",
                    "role": "user",
                  },
                },
              ],
              "token_limit": 9007199254740991,
            },
          },
          "protocol": "react",
          "sources": [
            {
              "$kind": "ToolOutput",
              "value": {
                "content": "It is.",
                "raw_input": {
                  "input": "it",
                },
                "raw_output": {
                  "$kind": "Answer",
                  "value": {
                    "response": "It is.",
                    "source_nodes": [],
                  },
                },
                "tool_name": "ask",
              },
            },
          ],
          "usage": {
            "cachedInputTokens": 0,
            "inputTokens": 0,
            "modelCalls": 1,
            "outputTokens": 0,
            "reasoningTokens": 0,
            "toolCalls": 1,
            "totalTokens": 0,
          },
          "when": {
            "$kind": "Date",
            "value": "1970-01-01T00:00:00.000Z",
          },
        },
        "input": "Is it?",
        "task_id": "t",
      },
      "undo": [
        {
          "completed_steps": [
            0,
            [],
          ],
          "step_queue": {
            "0": {
              "input": [
                "Is it?",
              ],
              "step_id": [
                "id-1",
              ],
              "step_state": {
                "is_first": [
                  true,
                ],
              },
            },
          },
          "task": {
            "extra_state": {
              "current_reasoning": [
                0,
                [],
              ],
              "n_function_calls": [
                0,
              ],
              "n_iterations": [
                0,
              ],
              "new_memory": {
                "value": {
                  "messages": [
                    0,
                    [],
                  ],
                },
              },
              "sources": [
                0,
                [],
              ],
              "usage": {
                "modelCalls": [
                  0,
                ],
                "toolCalls": [
                  0,
                ],
              },
            },
          },
        },
      ],
      "version": 1,
    }
  `)
})

it('reports every place that does not fit, with what was expected and received', async () => {
  const saved = await savedAfterOneStep()
  const [step] = saved.step_queue
  const broken = {
    ...saved,
    memory_length: -1,
    step_queue: [
      { ...step, task_id: 'other' },
      { ...step, step_id: undefined },
    ],
    finalized: 'yes',
  }
  await expect(newAgent().loadTask(broken)).rejects.toMatchObject({
    code: 'saved_task',
    message: [
      'SavedTask.stepQueue[0].taskId: expected the id of the task, "t", received a string.',
      'SavedTask.stepQueue[1].stepId: required, but missing.',
      'SavedTask.finalized: expected a boolean, received a string.',
      'SavedTask.memoryLength: expected an integer of at least 0, received -1.',
    ].join('\n'),
  })
})

it('reports parts that contradict each other', async () => {
  const saved = await savedAfterOneStep()
  const wrong: [Partial<SavedTask>, string][] = [
    [{ finalized: true }, 'SavedTask.completedSteps: expected an answer at the end of a finalized task, received'],
    [{ completed_steps: [] }, 'SavedTask.undo[0]: expected a version with fewer completed steps, received'],
    [{ completed_steps: [], undo: [], step_queue: [] }, 'SavedTask.stepQueue: expected at least one step, received'],
    [{ version: 2 as 1 }, 'SavedTask.version: expected one of 1, received 2.'],
  ]
  for (const [part, message] of wrong) {
    await expect(newAgent().loadTask({ ...saved, ...part })).rejects.toMatchObject({
      code: 'saved_task',
      message: expect.stringContaining(message),
    })
  }
})

describe('calls of a saved task', () => {
  function newAgent() {
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => 'paid' })
    const look = FunctionTool.fromDefaults({ name: 'look', schema: {}, fn: () => 'seen' })
    const llm = functionCallingLlm([[toolCall('a', 'pay', {}), toolCall('b', 'look', {})], 'Done.'])
    return FunctionCallingAgent.fromTools({ llm, tools: [pay, look], taskStore: journal() })
  }

  it.each([{ place: 5 }, { output: 5 }, { output: {} }, { output: { content: null } }])(
    'a saved task with a call that waits and has %j is refused when it is loaded',
    async (damage) => {
      const agent = newAgent()
      await expect(agent.chat('Pay.', { taskId: 'T' })).rejects.toMatchObject({ code: 'approval_required' })
      const saved = JSON.parse(JSON.stringify(agent.saveTask('T')))
      Object.assign(saved.task.extra_state.pending_calls[0], damage)
      await expect(newAgent().loadTask(saved)).rejects.toMatchObject({
        code: 'saved_task',
        message: expect.stringContaining(`pendingCalls[0].${Object.keys(damage)[0]}`),
      })
    },
  )
})
