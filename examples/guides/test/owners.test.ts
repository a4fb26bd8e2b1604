// @module-tag system
/** No user reaches what belongs to another one: 1,000 random pairs of users, all methods of all servers. */
import { FunctionCallingAgent, FunctionTool, journal, MemoryTaskStore } from '@x/agents'
import { chatHandler, loadUIMessages } from '@x/ai-sdk'
import { agUiHandler, loadAgUiMessages } from '@x/ai-sdk/ag-ui'
import { memoryChatStreams } from '@x/chats'
import { ChatMessage, LLMMetadata, SimpleChatStore } from '@x/core-model'
import { type DurableTasks, MemoryEventLog, ownedBy, ownedId, tasksHandler } from '@x/durable'
import { ScriptedLLM } from '@x/llm/testing'
import { TaskTool } from '@x/mcp'
import { describe, expect, it } from 'vitest'
import { someOf } from '../../../tools/extent.ts'

/** Pairs of different users whose names are similar: one is the beginning of the other, or equal but for a sign. */
const SIGNS = [
  '1',
  '2',
  '-',
  '.',
  '/',
  '"',
  ',',
  '\\',
  '%',
  ' ',
  'A',
  'a',
  'é',
  'e\u0301',
  '漢',
  '__proto__',
  'null',
  ':',
]
const pairs = Array.from({ length: 1000 }, (_, index) => {
  let seed = index + 1
  const pick = () => {
    seed = (seed * 48_271) % 0x7fffffff
    return SIGNS[seed % SIGNS.length] as string
  }
  const first = `u${pick()}${pick()}`
  const second = index % 3 === 0 ? `${first}${pick()}` : `u${pick()}${pick()}${pick()}`
  return { a: first, b: second, id: `${pick()}${index % 5}` }
}).filter(({ a, b }) => a.trim() !== b.trim())

const HEADERS = { 'content-type': 'application/json' }
const userOf = (request: Request) => decodeURIComponent(request.headers.get('x-user') ?? '')
const sendTo =
  (handle: (request: Request) => Promise<Response>) => (user: string, method: string, path: string, body?: object) =>
    handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { ...HEADERS, 'x-user': encodeURIComponent(user) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    ).then((response) => response.text())

/** An engine that notes which tasks are used, with one event log for all. */
function engine() {
  const used: string[] = []
  const log = new MemoryEventLog()
  const use = (result?: unknown) => async (id: string) => {
    used.push(id)
    return result
  }
  const tasks = {
    submit: async (_: unknown, { taskId }: { taskId: string }) => use(taskId)(taskId),
    fork: async (id: string, { taskId }: { taskId: string }) => {
      used.push(id)
      return taskId
    },
    status: use('waiting'),
    waiting: use([]),
    answer: use({ response: 'secret' }),
    events: (id: string) => {
      used.push(id)
      return log.readEvents(id, 0)
    },
    decide: use(),
    cancel: use(),
    retry: use(),
    delete: use(),
    changed: async () => {},
  } as unknown as DurableTasks
  return { tasks, used, log }
}

describe('1,000 pairs of users', () => {
  it('have no task in common, by tasksHandler and its event log', async () => {
    const { tasks, used } = engine()
    const send = sendTo(tasksHandler(tasks, { mayUse: ownedBy(userOf) }))
    for (const { a, b, id } of pairs) {
      const { taskId } = JSON.parse(await send(a, 'POST', '/tasks', { input: 'secret', taskId: id })) as {
        taskId: string
      }
      expect(used.splice(0)).toEqual([ownedId(a, id)])
      const path = `/tasks/${encodeURIComponent(taskId)}`
      for (const part of ['', '/answer', '/events']) await send(b, 'GET', `${path}${part}`)
      for (const part of ['/decide', '/cancel', '/retry', '/fork'])
        await send(b, 'POST', `${path}${part}`, { callId: 'c', type: 'approve', taskId: id })
      await send(b, 'DELETE', path)
      await send(b, 'POST', '/tasks', { input: 'x', taskId })
      expect(used.splice(0).filter((each) => each === taskId || each.startsWith(ownedId(a, '')))).toEqual([])
    }
  })

  it('have no task in common, by TaskTool and the tasks of MCP', async () => {
    const { tasks, used } = engine()
    const options = { name: 'research', description: 'Answers.' }
    for (const { a, b } of pairs) {
      const [own, other] = [a, b].map((prefix) => new TaskTool(tasks, { ...options, prefix })) as [TaskTool, TaskTool]
      const { taskId } = await own.createTask({}, 1, { params: { name: 'research', arguments: { input: 'secret' } } })
      used.length = 0
      expect(await other.getTask(taskId)).toBeNull()
      for (const reach of [
        () => other.getTaskResult(taskId),
        () => other.updateTaskStatus(taskId, 'cancelled'),
        () => other.enqueue(taskId, {}),
        () => other.dequeue(taskId),
        () => other.dequeueAll(taskId),
      ])
        await expect(reach()).rejects.toMatchObject({ code: 'task_not_found' })
      expect([await other.listTasks(), used]).toEqual([{ tasks: [] }, []])
    }
  })

  const chatting = someOf(pairs, 250)
  const seen: string[] = []
  const paid: unknown[] = []
  const agent = () => {
    const call = { id: 'c1', type: 'function', function: { name: 'pay', arguments: '{}' } }
    const asks = new ChatMessage({ role: 'assistant', content: null, additionalKwargs: { tool_calls: [call] } })
    const llm = new ScriptedLLM({
      answers: (messages) => {
        seen.push(JSON.stringify(messages))
        return messages.at(-1)?.role === 'user' ? asks : 'Done.'
      },
      metadata: new LLMMetadata({ modelName: 'm', isChatModel: true, isFunctionCallingModel: true }),
    })
    const pay = FunctionTool.fromDefaults({ name: 'pay', schema: {}, needsApproval: true, fn: () => paid.push(1) })
    return FunctionCallingAgent.fromTools({ llm, tools: [pay], taskStore: journal(new MemoryTaskStore()) })
  }
  const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? ''

  it('have no chat in common, by chatHandler', { timeout: 240_000 }, async () => {
    const chatStore = new SimpleChatStore()
    const send = sendTo(chatHandler({ agent: agent(), user: userOf, chatStore, streams: memoryChatStreams() }))
    for (const [index, { a, b, id }] of chatting.entries()) {
      const secret = `secret-${index}`
      const message = { id: `m${index}`, role: 'user', parts: [{ type: 'text', text: secret }] }
      const asked = await send(a, 'POST', '/chat', { id, messages: [message] })
      const taskId = found(asked, /"taskId":"([^"]+)"/)
      const approvalId = found(asked, /"approvalId":"([^"]+)"/)
      expect([taskId, approvalId]).not.toContain('')
      seen.length = 0
      const approval = { id: approvalId, approved: true }
      const part = { type: 'tool-pay', toolCallId: 'c1', state: 'approval-responded', input: {}, approval }
      const decision = { id: 'd', role: 'assistant', metadata: { taskId }, parts: [part] }
      const own = { id: 'o', role: 'user', parts: [{ type: 'text', text: 'mine' }] }
      const path = `/chat/${encodeURIComponent(id)}/stream`
      const shown = [
        await send(b, 'GET', path),
        await send(b, 'DELETE', path),
        await send(b, 'POST', '/chat', { id, messages: [own, decision] }),
        await send(b, 'POST', '/chat', { id, messages: [own] }),
        JSON.stringify(await loadUIMessages(chatStore, b, id)),
      ]
      expect([...shown, ...seen].filter((text) => text.includes(`${secret}"`) || text.includes(taskId))).toEqual([])
      expect(JSON.stringify(await loadUIMessages(chatStore, a, id))).toContain(secret)
    }
    expect(paid).toEqual([])
  })

  it('have no chat in common, by agUiHandler', { timeout: 240_000 }, async () => {
    const chatStore = new SimpleChatStore()
    const send = sendTo(agUiHandler({ agent: agent(), user: userOf, chatStore, streams: memoryChatStreams() }))
    for (const [index, { a, b, id }] of chatting.entries()) {
      const secret = `secret-${index}`
      const body = { threadId: id, runId: `r${index}` }
      const asked = await send(a, 'POST', '/agent', {
        ...body,
        messages: [{ id: `m${index}`, role: 'user', content: secret }],
      })
      const interruptId = JSON.parse(`"${found(asked, /"interrupts":\[\{"id":"((?:[^"\\]|\\.)+)"/)}"`) as string
      expect(interruptId).not.toBe('')
      seen.length = 0
      const resume = [{ interruptId, status: 'resolved', payload: true }]
      const own = [{ id: 'o', role: 'user', content: 'mine' }]
      const path = `/agent/${encodeURIComponent(id)}/stream`
      const shown = [
        await send(b, 'GET', path),
        await send(b, 'DELETE', path),
        await send(b, 'POST', '/agent', { ...body, messages: own, resume }),
        await send(b, 'POST', '/agent', { ...body, messages: own }),
        JSON.stringify(await loadAgUiMessages(chatStore, b, id)),
      ]
      expect([...shown, ...seen].filter((text) => text.includes(`${secret}"`))).toEqual([])
      expect(JSON.stringify(await loadAgUiMessages(chatStore, a, id))).toContain(secret)
    }
    expect(paid).toEqual([])
  })
})
