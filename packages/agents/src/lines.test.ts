import { ChatMessage, type Dict, NodeWithScore, readJsonText, ToolOutput, writeJsonText } from '@x/core-model'
import { lineOf, pythonLine, pythonLines } from '@x/core-model/python'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rounds } from '../../../tools/extent.ts'
import { arbitraryModel, hasContent, said } from '../../core-model/test/arbitrary-model.ts'
import { AgentChatResponse, ChatMemoryBuffer, Task, TaskStep, TaskStepOutput } from './index.ts'

const messages = fc.array(arbitraryModel(ChatMessage) as fc.Arbitrary<ChatMessage>, { maxLength: 3 })
const outputs = fc.array(arbitraryModel(ToolOutput) as fc.Arbitrary<ToolOutput>, { maxLength: 2 })
const nodes = fc.array(arbitraryModel(NodeWithScore) as fc.Arbitrary<NodeWithScore>, { maxLength: 2 })
const memoryOf = (chatHistory: ChatMessage[]) => ChatMemoryBuffer.fromDefaults({ chatHistory, tokenLimit: 100 })
const answers = fc
  .record({ response: fc.string(), sources: outputs, sourceNodes: nodes })
  .map((options) => new AgentChatResponse(options))
const steps = messages.map((list) => new TaskStep({ taskId: 't', stepId: 's', stepState: { memory: memoryOf(list) } }))

type Written = { toDict(options?: { line?: ReturnType<typeof pythonLine> | string }): unknown }

/** The classes that are not models, and those that contain them: models have tests of their own. */
const classes: [string, fc.Arbitrary<Written>, (data: unknown) => Written][] = [
  ['ChatMemoryBuffer', messages.map(memoryOf), (data) => ChatMemoryBuffer.fromDict(data)],
  ['AgentChatResponse', answers, (data) => AgentChatResponse.fromDict(data)],
  ['TaskStep', steps, (data) => TaskStep.fromDict(data)],
  [
    'TaskStepOutput',
    fc.tuple(answers, steps).map(([output, taskStep]) => new TaskStepOutput({ output, taskStep, nextSteps: [] })),
    (data) => TaskStepOutput.fromDict(data),
  ],
  [
    'Task',
    messages.map((list) => new Task({ taskId: 't', input: '', memory: memoryOf(list) })),
    (data) => Task.fromDict(data as Dict),
  ],
]

it.each(classes.flatMap(([name, made, read]) => pythonLines.map((line) => [name, line, made, read] as const)))(
  '%s is written in the line %s of Python, and read again',
  (_, lineName, made, read) => {
    const line = pythonLine(lineName)
    fc.assert(
      fc.property(made, (value) => {
        fc.pre(hasContent(value.toDict()))
        const data = value.toDict({ line })
        const again = read(readJsonText(writeJsonText(data)))
        expect(again.constructor).toBe(value.constructor)
        expect(value.toDict({ line: lineName })).toEqual(data)
        expect(writeJsonText(again.toDict({ line }))).toBe(writeJsonText(data))
        if (lineName === '0.10') expect(said(again.toDict())).toEqual(said(readJsonText(writeJsonText(value.toDict()))))
      }),
      { numRuns: rounds(10, 30) },
    )
  },
)

it('a memory and a task are written with blocks in 0.12', () => {
  const memory = memoryOf([new ChatMessage({ content: 'Hi' })])
  const task = new Task({ taskId: 't', input: 'Hi', memory })
  for (const written of [memory, task]) expect(lineOf(written.toDict({ line: pythonLine('0.12') }))).toBe('0.12.3')
  expect(lineOf(memory.toDict())).toBe('0.10')
})
