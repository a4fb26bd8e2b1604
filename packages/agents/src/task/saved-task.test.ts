import { ScriptedLLM } from '@x/llm/testing'
import { expect, it } from 'vitest'
import { ReActAgent } from '../agent/react-agent.ts'
import { QueryResponse } from '../answer/query-response.ts'
import { journal } from '../journal.ts'
import { QueryEngineTool } from '../tool/query-engine-tool.ts'
import type { SavedTask } from './saved-task.ts'

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
          "is_last": false,
          "next_steps": [
            {
              "input": null,
              "is_ready": true,
              "next_steps": {},
              "prev_steps": {},
              "step_id": "id-2",
              "step_state": {
                "is_first": false,
              },
              "task_id": "t",
            },
          ],
          "output": {
            "$kind": "AgentChatResponse",
            "value": {
              "response": "Observation: It is.",
              "source_nodes": [],
              "sources": {
                "$kind": "List",
                "value": [
                  0,
                  1,
                ],
              },
              "usage": {
                "cachedInputTokens": 0,
                "inputTokens": 0,
                "modelCalls": 1,
                "outputTokens": 0,
                "reasoningTokens": 0,
                "toolCalls": 1,
                "totalTokens": 0,
              },
            },
          },
          "status": "done",
          "task_step": {
            "input": "Is it?",
            "is_ready": true,
            "next_steps": {},
            "prev_steps": {},
            "step_id": "id-1",
            "step_state": {
              "is_first": false,
            },
            "task_id": "t",
          },
        },
      ],
      "conversation": [],
      "conversation_id": null,
      "finalized": false,
      "lists": [
        [
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
        [
          {
            "$kind": "ChatMessage",
            "value": {
              "additional_kwargs": {},
              "content": "Is it?",
              "role": "user",
            },
          },
        ],
        [
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
      ],
      "memory_length": null,
      "open_steps": [],
      "owns_conversation": false,
      "step_queue": [
        {
          "input": null,
          "is_ready": true,
          "next_steps": {},
          "prev_steps": {},
          "step_id": "id-2",
          "step_state": {
            "is_first": false,
          },
          "task_id": "t",
        },
      ],
      "steps_started": 1,
      "task": {
        "extra_state": {
          "current_reasoning": {
            "$kind": "List",
            "value": [
              2,
              2,
            ],
          },
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
              "messages": {
                "$kind": "List",
                "value": [
                  1,
                  1,
                ],
              },
              "token_limit": 9007199254740991,
            },
          },
          "protocol": "react",
          "sources": {
            "$kind": "List",
            "value": [
              0,
              1,
            ],
          },
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
          "extra_state": {
            "current_reasoning": [],
            "n_function_calls": 0,
            "n_iterations": 0,
            "new_memory": {
              "$kind": "ChatMemoryBuffer",
              "value": {
                "chat_store": {
                  "class_name": "SimpleChatStore",
                  "store": {},
                },
                "chat_store_key": "chat_history",
                "class_name": "ChatMemoryBuffer",
                "messages": [],
                "token_limit": 9007199254740991,
              },
            },
            "protocol": "react",
            "sources": [],
            "usage": {
              "cachedInputTokens": 0,
              "inputTokens": 0,
              "modelCalls": 0,
              "outputTokens": 0,
              "reasoningTokens": 0,
              "toolCalls": 0,
              "totalTokens": 0,
            },
            "when": {
              "$kind": "Date",
              "value": "1970-01-01T00:00:00.000Z",
            },
          },
          "outputs": 1,
          "queue": [
            {
              "input": "Is it?",
              "is_ready": true,
              "next_steps": {},
              "prev_steps": {},
              "step_id": "id-1",
              "step_state": {
                "is_first": true,
              },
              "task_id": "t",
            },
          ],
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
      { ...step, is_ready: undefined },
    ],
    undo: [{ ...saved.undo[0], outputs: 0 }],
    finalized: 'yes',
  }
  await expect(newAgent().loadTask(broken)).rejects.toMatchObject({
    code: 'saved_task',
    message: [
      'SavedTask.stepQueue[0].taskId: expected the id of the task, "t", received a string.',
      'SavedTask.stepQueue[1].isReady: required, but missing.',
      'SavedTask.undo[0].outputs: expected an integer of at least 1, received 0.',
      'SavedTask.finalized: expected a boolean, received a string.',
      'SavedTask.memoryLength: expected an integer of at least 0, received -1.',
    ].join('\n'),
  })
})

it('reports parts that contradict each other', async () => {
  const saved = await savedAfterOneStep()
  const wrong: [Partial<SavedTask>, string][] = [
    [{ finalized: true }, 'SavedTask.completedSteps: expected an answer at the end of a finalized task, received'],
    [{ completed_steps: [] }, 'SavedTask.undo: expected at most 0 outputs, one for each completed step, received 1.'],
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
