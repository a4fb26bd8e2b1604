import { ChatMessage, type ContentPart, chatTokens, LLMMetadata } from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { ScriptedLLM } from '@x/llm/testing'
import { describe, expect, it } from 'vitest'
import { collected, functionCallingLlm, scriptedToolModel, toolCall } from '../../test/function-calling-llm.ts'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { ReActAgent } from '../agent/react-agent.ts'
import { journal } from '../journal.ts'
import { keepWithin } from '../layers/keep-within.ts'
import type { Guards } from '../loop/hooks.ts'
import { JsonProtocol } from '../loop/json/json-protocol.ts'
import { MemoryTaskStore } from '../task/memory-task-store.ts'
import { FunctionTool } from '../tool/function-tool.ts'
import { HandoffTool } from '../tool/handoff-tool.ts'
import { MultimodalReActAgentWorker } from '../worker/multimodal-react-agent-worker.ts'
import { ToolLoopWorker } from '../worker/tool-loop-worker.ts'
import { AgentRunner } from './agent-runner.ts'
import { ParallelAgentRunner } from './parallel-agent-runner.ts'

const image: ContentPart = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
const question: ContentPart[] = [{ type: 'text', text: 'Who is that?' }, image]
const whole = new ChatMessage({ content: question })

/** The messages of the user in the last request. */
const askedBy = (llm: ScriptedLLM) =>
  llm.calls
    .at(-1)!
    .messages!.map((dict) => ChatMessage.fromDict(dict))
    .filter(({ role }) => role === 'user')
const answering = (...answers: string[]) => new ScriptedLLM({ answers: answers.map((answer) => `Answer: ${answer}`) })

const jsonRunner = (llm: ScriptedLLM) =>
  new AgentRunner({ agentWorker: new ToolLoopWorker({ llm, protocol: new JsonProtocol() }) })
const json = () => new ScriptedLLM({ answers: ['{"answer": "Ann"}'] })
const parallel = (llm: ScriptedLLM) =>
  new ParallelAgentRunner({ agentWorker: new ToolLoopWorker({ llm, protocol: new JsonProtocol() }) })

describe('content parts of the user', () => {
  it.each([
    ['text agent', () => answering('Ann'), (llm: ScriptedLLM) => ReActAgent.fromTools({ llm })],
    ['native agent', () => scriptedToolModel(['Ann']), (llm: ScriptedLLM) => FunctionCallingAgent.fromTools({ llm })],
    ['JSON agent', json, jsonRunner],
    ['parallel runner', json, parallel],
  ] as const)(
    'are passed unchanged to the model of a %s, and stored in the conversation',
    async (_, makeLlm, makeAgent) => {
      for (const input of [question, whole]) {
        const llm = makeLlm()
        const agent = makeAgent(llm)
        expect(String(await agent.chat(input))).toBe('Ann')
        expect(askedBy(llm)).toEqual([whole])
        expect(agent.chatHistory).toEqual([whole, new ChatMessage({ role: 'assistant', content: 'Ann' })])
      }
    },
  )

  it('are passed to the model by streams, events, tasks and conversations', async () => {
    const llm = answering('1', '2', '3', '4')
    const agent = ReActAgent.fromTools({
      llm,
      contextWindow: false,
      memory: ChatMemoryBuffer.fromDefaults({ tokenLimit: 9000 }),
    })
    await (await agent.streamChat(question)).done
    const types: string[] = []
    for await (const event of agent.runEvents(question)) types.push(event.type)
    expect(types.at(-1)).toBe('task_end')
    const task = await agent.createTask(whole)
    expect(task).toMatchObject({ input: 'Who is that?', inputMessage: whole })
    await agent.runTask(task.taskId)
    expect(askedBy(llm)).toEqual([whole, whole, whole])
    const conversation = agent.conversation()
    await conversation.chat(question)
    expect(askedBy(llm)).toEqual([whole])
    expect(conversation.chatHistory).toHaveLength(2)
  })

  it('are checked before a model is called or an event is reported', async () => {
    const llm = answering()
    const agent = ReActAgent.fromTools({ llm })
    const bad = [{ type: 'image', image: 'AAAA' }] as never
    for (const run of [agent.chat(bad), agent.streamChat(bad), agent.createTask(bad), agent.conversation().chat(bad)])
      await expect(run).rejects.toMatchObject({ code: 'model_validation' })
    expect(agent.listTasks()).toEqual([])
    expect(agent.chatHistory).toEqual([])
  })

  it('count as parts, not as characters of a data URL', async () => {
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`
    const large: ContentPart[] = [
      { type: 'text', text: 'Who is that?' },
      { type: 'image_url', image_url: { url } },
    ]
    const metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true, contextWindow: 4000 })
    const llm = new ScriptedLLM({ answers: ['Ann', 'Bob', 'Cleo'], metadata })
    const agent = FunctionCallingAgent.fromTools({ llm, contextWindow: keepWithin() })
    await agent.chat(large)
    await agent.chat(large)
    expect(askedBy(llm)).toHaveLength(2)
    // Two images fit into the window, three do not. Leaving out messages leaves room for the next turns.
    await agent.chat(large)
    expect(askedBy(llm)).toHaveLength(1)
    expect(chatTokens(llm.calls.at(-1)!.messages!)).toBeLessThan(4000)
  })
})

describe('the guard of inputs', () => {
  const guarded = (guards: Guards, llm = answering('Ann')) => ({ llm, agent: ReActAgent.fromTools({ llm, guards }) })

  it('receives the text and the whole message', async () => {
    const seen: unknown[] = []
    const { agent } = guarded({ input: (text, { message }) => void seen.push(text, message) })
    await agent.chat(question)
    expect(seen).toEqual(['Who is that?', whole])
  })

  it('blocks images, replaces text, and replaces everything', async () => {
    const noImages = guarded({
      input: (_, { message: { content } }) =>
        Array.isArray(content) && content.some(({ type }) => type === 'image_url') ? { block: 'no images' } : null,
    })
    await expect(noImages.agent.chat(question)).rejects.toMatchObject({ code: 'guard_blocked', reason: 'no images' })
    expect(noImages.llm.calls).toEqual([])
    const polite = guarded({ input: (text) => ({ replace: `Please: ${text}` }) })
    await polite.agent.chat(question)
    expect(askedBy(polite.llm)[0]!.content).toEqual([{ type: 'text', text: 'Please: Who is that?' }, image])
    const bare = guarded({ input: (text) => ({ replace: [{ type: 'text', text }] }) })
    await bare.agent.chat(question)
    expect(bare.agent.chatHistory[0]!.content).toEqual([{ type: 'text', text: 'Who is that?' }])
  })
})

const pay = FunctionTool.fromDefaults({
  name: 'pay',
  schema: { type: 'object', properties: {} },
  needsApproval: true,
  fn: () => 'paid',
})

describe('a task with content parts', () => {
  it('continues in another process, from every entry of its journal', async () => {
    const turns = [[toolCall('c1', 'pay', {})], 'It is paid.']
    const taskStore = new MemoryTaskStore()
    const first = FunctionCallingAgent.fromTools({
      llm: functionCallingLlm(turns),
      tools: [pay],
      taskStore: journal(taskStore),
    })
    const { taskId } = await first.createTask(question)
    await first.runTask(taskId).catch(() => {})
    const entries = (await taskStore.load(taskId))!
    expect(JSON.stringify(entries)).toContain('input_message')
    for (let length = 1; length <= entries.length; length++) {
      const llm = functionCallingLlm(turns)
      const again = FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore: journal() })
      await again.loadTask(JSON.parse(JSON.stringify(entries.slice(0, length))))
      expect(again.getTask(taskId).inputMessage).toEqual(whole)
      const pause = await again.runTask(taskId).catch((error) => error)
      // Later entries contain the reply of the model.
      if (llm.calls.length === 0) await llm.chat('the call that was made before')
      expect(pause.code).toBe('approval_required')
      await again.approve(taskId, 'c1')
      expect(String(await again.runTask(taskId))).toBe('It is paid.')
      expect(askedBy(llm)).toEqual([whole])
      expect(again.chatHistory[0]).toEqual(whole)
    }
  })

  it('keeps its parts in a fork and after an undo', async () => {
    const llm = answering('one', 'two', 'three')
    const agent = ReActAgent.fromTools({ llm })
    const { taskId } = await agent.createTask(question)
    await agent.runStep(taskId)
    await agent.undoStep(taskId)
    const fork = await agent.forkTask(taskId)
    await agent.runTask(fork.taskId)
    expect(askedBy(llm)).toEqual([whole])
    await agent.runTask(taskId)
    expect(askedBy(llm)).toEqual([whole])
  })

  it('accepts a string that replaces the input of its first step', async () => {
    const llm = answering('one')
    const agent = ReActAgent.fromTools({ llm })
    const { taskId } = await agent.createTask(question)
    await agent.runStep(taskId, { input: 'Who is this?' })
    expect(askedBy(llm)).toEqual([new ChatMessage({ content: 'Who is this?' })])
  })

  it('has no input_message in JSON if the input is a string', async () => {
    const agent = ReActAgent.fromTools({ llm: answering(), taskStore: journal() })
    const { taskId } = await agent.createTask('Hello')
    expect(Object.keys(agent.saveTask(taskId).task)).toEqual(['task_id', 'input', 'extra_state'])
  })
})

describe('other agents', () => {
  it('receive the parts by a handoff, as the guard changed them', async () => {
    const llm = answering('Ann')
    const portraits = new HandoffTool({
      agent: ReActAgent.fromTools({ llm }),
      name: 'portraits',
      description: 'Faces.',
    })
    const desk = ReActAgent.fromTools({
      llm: new ScriptedLLM({ answers: ['Thought: a face\nAction: portraits\nAction Input: {"reason": "a face"}'] }),
      tools: [portraits],
      guards: { input: (text) => ({ replace: `Please: ${text}` }) },
    })
    expect(String(await desk.chat(question))).toBe('Ann')
    expect(askedBy(llm)[0]!.content).toEqual([
      { type: 'text', text: 'Please: Who is that?' },
      image,
      { type: 'text', text: '(Handed over because: a face)' },
    ])
  })

  it('receive the images of the input in addition to images in their state', async () => {
    const multiModalLlm = answering('Ann', 'Bob')
    const runner = new AgentRunner({ agentWorker: new MultimodalReActAgentWorker({ multiModalLlm }) })
    await runner.chat(question)
    expect(askedBy(multiModalLlm)).toEqual([whole])
    const image_docs = [{ imageUrl: 'https://example.org/b.png' }]
    const { taskId } = await runner.createTask(question, { extraState: { image_docs } })
    expect(await collected(await runner.streamTask(taskId))).toEqual(['Bob'])
    expect(askedBy(multiModalLlm).at(-1)!.content).toEqual([
      { type: 'text', text: 'Who is that?' },
      { type: 'image_url', image_url: { url: 'https://example.org/b.png' } },
      image,
    ])
  })
})
