/**
 * @module
 * Streams the replies of the model: text, reasoning and arguments of calls are reported as they arrive.
 */
import { ChatMessage, type ChatResponse } from '@x/core-model'
import { raceAbort } from '@x/core-model/async'
import type { Layer, ModelReply, Scope, StepRequest } from '../loop/layer.ts'
import { reportedReply, wellFormedMessages } from '../loop/loop.ts'
import { LiveText } from '../loop/reply.ts'

const LIVE = Symbol('streaming')

/** Streams the replies of the model. */
export function streaming(): Layer {
  return {
    rank: 80,
    model: () => (request, scope) => {
      const { notes } = scope.ids
      const known = notes[LIVE] as LiveText | undefined
      // The first request of the turn, one after a reply that was cut or empty, or the repetition of one that failed.
      known?.continue()
      const live = known ?? newLive(scope)
      notes[LIVE] = live
      return streamed(request, scope, live)
    },
    read: () => (message, scope) => {
      const live = scope.ids.notes[LIVE] as LiveText | undefined
      live?.end()
      const turn = scope.loop.protocol.read(message, live !== undefined)
      live?.checkRestart(turn)
      if (!live?.isShown || turn.kind === 'unreadable') return turn
      return { ...turn, shown: live.isAnswering ? 'all' : 'text' }
    },
  }
}

function newLive({ loop, tools, emit, ids, onLive, onText }: Scope): LiveText {
  const live = new LiveText({
    newReader: () => loop.protocol.reader(tools.length > 0),
    isPassedOn: onLive !== undefined,
    onEvent: emit,
    onText,
    holdsText: loop.holdsText,
    callId: (providerId, index) => ids.id(providerId, index),
  })
  onLive?.(live)
  return live
}

async function streamed({ llm, messages, options }: StepRequest, scope: Scope, live: LiveText): Promise<ModelReply> {
  const { signal, parentId, ready } = scope
  const stream = await raceAbort(llm.streamChat(wellFormedMessages(messages), { ...options, signal, parentId }), signal)
  const chunks = stream[Symbol.asyncIterator]()
  let latest: ChatResponse | undefined
  const read = async () => {
    for (;;) {
      const next = await chunks.next()
      if (next.done || signal?.aborted) return
      latest = next.value
      if (live.read(latest)) return
      // Backpressure: wait until the event reader is ready.
      const wait = ready?.()
      if (wait) await wait
    }
  }
  try {
    // One race for all chunks: one for each would take longer than to read it.
    await raceAbort(read(), signal)
    if (latest) return reportedReply(latest, scope)
  } catch (error) {
    live.fail(error)
    if (latest) scope.onBroken?.({ message: latest.message, response: latest })
    throw error
  } finally {
    void close(chunks)
  }
  return { message: new ChatMessage({ role: 'assistant', content: '' }) }
}

/** Closes a stream. The result does not depend on errors or delays of the model. */
async function close(chunks: AsyncIterator<ChatResponse>): Promise<void> {
  try {
    await chunks.return?.()
  } catch {}
}
