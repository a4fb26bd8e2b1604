/**
 * @module
 * The messages of a chat for `useChat`, when a page is loaded.
 */
import type { Tool } from '@x/agents'
import {
  type ChatAgent,
  type ChatStreams,
  chatKey,
  decidedCalls,
  loadTurns,
  type OnChatError,
  turnEvents,
} from '@x/chats'
import { callback, checkOptions, flag, having, list, type OptionTable, unchecked } from '@x/core/options'
import {
  type ChatStore,
  type ContentPart,
  type FilePart,
  isFilePart,
  isImagePart,
  isTextPart,
  type Turn,
} from '@x/core-model'
import { shownTurn } from '@x/core-model/memory'
import { imageType, type UIMessageLike, type UIPartLike } from './chat-request.ts'
import { approvalProblem, type UIChunk, type UIMetadata } from './ui-chunk.ts'
import { chunksOfEvents, descriptorOf } from './ui-message-stream.ts'

/** A message of `useChat`, which every version of the AI SDK takes as its `UIMessage`. */
export interface StoredUIMessage extends UIMessageLike {
  readonly id: string
  readonly role: 'user' | 'assistant'
  /** That of an answer. */
  readonly metadata?: UIMetadata
  /**
   * The parts, whose types are those of your version of the AI SDK: assign the messages to its `UIMessage[]`, or to your own type of them.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the versions have different parts, and none takes those of another one
  readonly parts: any[]
}

/** Options of {@link loadUIMessages}. */
export interface LoadUIMessagesOptions {
  /** The agent of the route. A `TasksAgent` knows which answers go on. @defaultValue none do */
  agent?: Pick<ChatAgent<never>, 'conversation' | 'statusOf'> | undefined
  /** The streams of the route, which know whether an answer is still running. @defaultValue none does */
  streams?: ChatStreams | undefined
  /** That of the route: returns the text that the user sees when a tool has failed. @defaultValue 'The tool failed.' */
  onError?: OnChatError | undefined
  /** Like that of `chatHandler`. @defaultValue false */
  typedTools?: boolean | undefined
  /** Like that of `chatHandler`. @defaultValue [] */
  tools?: readonly Tool[] | undefined
}

/** The checks of what is read of the run of a chat. */
export const RUN_OPTIONS: OptionTable<Omit<LoadUIMessagesOptions, 'typedTools' | 'tools'>> = {
  agent: unchecked,
  streams: having('the streams of a route', 'follow'),
  onError: callback,
}

const OPTIONS: OptionTable<LoadUIMessagesOptions> = {
  ...RUN_OPTIONS,
  typedTools: flag,
  tools: list,
}

/**
 * Returns the messages of a chat for `useChat`: those that its page would show, with reasoning, tools and their values, files, calls that
 * wait for an approval, the decisions about those that waited, what each answer has used, and answers that failed or were stopped. A
 * running answer is left out, because the client receives it from its beginning with `resume`.
 * @param chatStore - the one of the route
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * await loadUIMessages(new SimpleChatStore(), 'ann', 'c1') // => []
 */
export async function loadUIMessages(
  chatStore: ChatStore,
  user: string,
  id: string,
  options: LoadUIMessagesOptions = {},
): Promise<StoredUIMessage[]> {
  checkOptions('loadUIMessages', options, OPTIONS)
  const { agent, streams, typedTools = false, tools, onError } = options
  return ofTurns(chatStore, [user, id], { agent, streams }, (turn, goesOn) =>
    uiMessagesOf(turn, { typedTools, tools, onError, goesOn }),
  )
}

/** Returns what a page shows for the turns of a chat. @param shown - receives whether the answer of the turn is still running */
export async function ofTurns<Shown>(
  chatStore: ChatStore,
  [user, id]: readonly [user: string, id: string],
  run: Pick<LoadUIMessagesOptions, 'agent' | 'streams'>,
  shown: (turn: Turn, goesOn: boolean) => readonly Shown[],
): Promise<Shown[]> {
  const isRun = await runningTurns(chatKey(user, id), run)
  const turns = (await loadTurns(chatStore, user, id)).map(async (turn) => shown(turn, await isRun(turn)))
  return (await Promise.all(turns)).flat()
}

/** Returns whether the answer of a turn is still running. */
async function runningTurns(
  key: string,
  { agent, streams }: Pick<LoadUIMessagesOptions, 'agent' | 'streams'>,
): Promise<(turn: Turn) => Promise<boolean>> {
  // Before the turns are read: an answer that ends in between is shown twice rather than not at all.
  const isStreaming = !agent?.statusOf && streams !== undefined && (await streams.follow(key)) !== null
  return async ({ task, state }) => {
    if (state !== 'open' && state !== 'waiting') return false
    if (!agent?.statusOf) return isStreaming && state === 'open'
    return ['queued', 'running'].includes((await agent.statusOf(task)) ?? '')
  }
}

/** Returns the messages of a turn. */
export function uiMessagesOf(
  turn: Turn,
  {
    typedTools = false,
    tools,
    onError,
    goesOn = false,
  }: Pick<LoadUIMessagesOptions, 'typedTools' | 'tools' | 'onError'> & { goesOn?: boolean } = {},
): StoredUIMessage[] {
  const { id, message = `${id}-user`, task: taskId, usage, state } = turn
  const [first] = shownTurn(turn).messages
  const user: StoredUIMessage[] =
    first?.role === 'user' ? [{ id: message, role: 'user', parts: partsOf(first.content) }] : []
  const parts = goesOn ? [] : answerParts(turn, { typedTools, tools, onError })
  if (parts.length === 0) return user
  // The stream of an answer that waits, or has failed, does not say it.
  const used = (state === 'done' || state === 'stopped') && usage && { usage }
  return [...user, { id, role: 'assistant', metadata: { taskId, ...used, ...(state !== 'open' && { state }) }, parts }]
}

function partsOf(content: unknown): UIPartLike[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return ((content ?? []) as readonly ContentPart[]).flatMap((part): UIPartLike[] => {
    if (isTextPart(part)) return [{ type: 'text', text: part.text }]
    if (isImagePart(part)) {
      const { image_url, media_type = imageType(image_url.url), filename } = part
      return [fileOf({ url: image_url.url, media_type, ...(filename !== undefined && { filename }) })]
    }
    return isFilePart(part) ? [fileOf(part.file)] : []
  })
}

const fileOf = ({ url, media_type: mediaType, filename }: FilePart['file']): UIPartLike => ({
  type: 'file',
  mediaType,
  url,
  ...(filename !== undefined && { filename }),
})

type Part = Record<string, unknown>

/** Returns what a client has made of the chunks of a turn, and of the decisions of its user. */
function answerParts(
  turn: Turn,
  { typedTools, tools, onError }: Pick<LoadUIMessagesOptions, 'typedTools' | 'tools' | 'onError'>,
): UIPartLike[] {
  const events = turnEvents(turn, { onError })
  const parts = partsOfChunks(chunksOfEvents(events, { typedTools, tools }), typedTools === true)
  for (const [callId, { id, approved, reason, problem }] of Object.entries(decidedCalls(turn))) {
    const part = parts.find(({ toolCallId }) => toolCallId === callId)
    if (!part) continue
    const toolName = (part['toolName'] ?? String(part['type']).slice('tool-'.length)) as string
    const descriptor = descriptorOf(tools?.find(({ metadata }) => metadata.name === toolName)?.metadata)
    const given = { ...(descriptor && { descriptor }), ...(reason !== undefined && { reason }) }
    part['approval'] = { id, ...given, approved }
    if (part['state'] === 'input-available') part['state'] = 'approval-responded'
    // Behind the calls of its step, where it was when it was sent.
    const behind = parts.findIndex(({ type }, place) => type === 'step-start' && place > parts.indexOf(part))
    const step = parts.slice(0, behind < 0 ? undefined : behind)
    if (problem !== undefined)
      parts.splice(
        step.findLastIndex(({ toolCallId }) => toolCallId !== undefined) + 1,
        0,
        approvalProblem(callId, problem),
      )
  }
  return parts as unknown as UIPartLike[]
}

/** Returns what a client makes of chunks. */
function partsOfChunks(chunks: readonly UIChunk[], typedTools: boolean): Part[] {
  const parts: Part[] = []
  const texts = new Map<string, Part>()
  const tools = new Map<string, Part>()
  const add = (part: Part) => {
    parts.push(part)
    return part
  }
  const tool = ({ toolCallId, toolName, title }: { toolCallId: string; toolName: string; title?: string }) => {
    const known = tools.get(toolCallId)
    if (known) return known
    const named = typedTools ? { type: `tool-${toolName}` } : { type: 'dynamic-tool', toolName }
    const part = add({ ...named, toolCallId, ...(title !== undefined && { title }) })
    tools.set(toolCallId, part)
    return part
  }
  const change = ({ toolCallId }: { toolCallId: string }, part: Part) =>
    Object.assign(tools.get(toolCallId) ?? {}, part)
  for (const chunk of chunks) {
    if (chunk.type === 'start-step') add({ type: 'step-start' })
    else if (chunk.type === 'text-start' || chunk.type === 'reasoning-start')
      texts.set(chunk.id, add({ type: chunk.type.slice(0, -'-start'.length), text: '', state: 'done' }))
    else if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') {
      const part = texts.get(chunk.id)
      if (part) part['text'] = `${part['text']}${chunk.delta}`
    } else if (chunk.type === 'tool-input-available')
      Object.assign(tool(chunk), { state: 'input-available', input: chunk.input })
    else if (chunk.type === 'tool-input-error')
      Object.assign(tool(chunk), { state: 'output-error', input: chunk.input, errorText: chunk.errorText })
    else if (chunk.type === 'tool-output-available') change(chunk, { state: 'output-available', output: chunk.output })
    else if (chunk.type === 'tool-output-error') change(chunk, { state: 'output-error', errorText: chunk.errorText })
    else if (chunk.type === 'tool-output-denied') change(chunk, { state: 'output-denied' })
    else if (['data-approval-problem', 'source-url', 'source-document'].includes(chunk.type)) add({ ...chunk })
    else if (chunk.type === 'tool-approval-request')
      change(chunk, {
        state: 'approval-requested',
        approval: {
          id: chunk.approvalId,
          ...(chunk.approvalDescriptor && { descriptor: chunk.approvalDescriptor }),
        },
      })
  }
  return parts
}
