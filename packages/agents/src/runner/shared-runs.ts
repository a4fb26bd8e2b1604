/**
 * @module
 * Runs by the id of their task, so that a second caller with the same id joins the run in progress; and the error with which a cancelled
 * run rejects. Everything inside a run (models, tools, retrievers) rejects with the reason of its signal. The run itself rejects with an
 * {@link AbortError}, so that its caller can distinguish a cancelled run from a failed one.
 */
import { EarlyEnd, isPromise, raceAbort } from '@x/core-model/async'
import { AbortError } from '../agent-error.ts'
import { isStreamingResponse } from '../answer/chat-answer.ts'
import { checkConversation, conversationIdOf } from '../task/task.ts'
import type { Answer } from './finalizing.ts'
import type { ChatOptions, OnAgentEvent } from './runner-options.ts'

interface SharedRun {
  /** The conversation that was passed. */
  conversationId: string | undefined
  answer: Promise<Answer>
  listeners: Set<OnAgentEvent>
}

/** Lets callers with the same task id share one run. */
export class SharedRuns {
  private readonly running = new Map<string, SharedRun>()

  /**
   * Returns the answer of the run of a task. Calls `start` unless the task is running. Only the caller that started the run can cancel
   * it; for others, cancelling ends only their own wait, and so does an error of their `onEvent`.
   * @param onEvent - receives the events from now on.
   * @throws {TaskAlreadyExistsError} if the run is that of another conversation.
   */
  join(
    taskId: string,
    { signal, onEvent, memory }: Pick<ChatOptions, 'signal' | 'onEvent' | 'memory'>,
    start: (onEvent: OnAgentEvent | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const known = this.running.get(taskId)
    if (!known) return this.begin(taskId, onEvent, start, memory ? conversationIdOf(memory) : undefined)
    checkConversation(taskId, known.conversationId, memory)
    const guest = new Guest(known.listeners, onEvent, signal)
    return withAbortError(
      signal,
      async () => raceAbort(Promise.race([known.answer, guest.failure]), signal),
      () => [],
    ).catch((error) => {
      guest.leave()
      throw error
    })
  }

  /** Starts a run, which others can join. If the task is running, `start` is called nevertheless, and the task refuses it. */
  begin(
    taskId: string,
    onEvent: OnAgentEvent | undefined,
    start: (onEvent: OnAgentEvent | undefined) => Promise<Answer>,
    conversationId?: string,
  ): Promise<Answer> {
    if (this.running.has(taskId)) return start(onEvent)
    const listeners = new Set(onEvent ? [onEvent] : [])
    const answer = start((event) => {
      const waits = Array.from(listeners, (listener) => listener(event))
      return waits.length > 1 ? together(waits) : waits[0]
    })
    this.running.set(taskId, { conversationId, answer, listeners })
    const end = () => void this.running.delete(taskId)
    answer.then((made) => (isStreamingResponse(made) ? made.whenOver(end) : end()), end)
    return answer
  }
}

/** A caller that has joined the run of another one. The run waits for its receiver of events, but never fails with it. */
class Guest {
  /** Rejects with the error of the receiver. */
  readonly failure: Promise<never>
  /** Ends the waits of the run for the receiver. */
  leave: (error?: unknown) => void = () => {}

  constructor(listeners: Set<OnAgentEvent>, onEvent: OnAgentEvent | undefined, signal: AbortSignal | undefined) {
    let fail: (error: unknown) => void = () => {}
    this.failure = new Promise((_, reject) => {
      fail = reject
    })
    // Nobody reads the error of a caller that has left.
    this.failure.catch(() => {})
    if (!onEvent) return
    const waits = new EarlyEnd()
    this.leave = (error?: unknown) => {
      listeners.delete(listener)
      waits.end()
      fail(error)
    }
    const listener: OnAgentEvent = (event) => {
      try {
        const wait = onEvent(event)
        return isPromise(wait) ? waits.orEnd(Promise.resolve(raceAbort(wait, signal))).catch(this.leave) : undefined
      } catch (error) {
        return this.leave(error)
      }
    }
    listeners.add(listener)
  }
}

/** Resolves when every listener is ready; undefined if none returned a promise. */
function together(waits: readonly unknown[]): Promise<unknown> | undefined {
  const promises = waits.filter(isPromise)
  return promises.length > 0 ? Promise.all(promises) : undefined
}

/**
 * Calls `run`. If it rejects with the reason of the caller's signal, rejects with an {@link AbortError} instead. Streams in the result
 * do the same.
 */
export async function withAbortError<T>(
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
  answersOf: (result: T) => readonly unknown[],
): Promise<T> {
  if (!signal) return run()
  let abort: AbortError | undefined
  const mapError = (error: unknown): unknown => {
    if (!signal.aborted || error !== signal.reason) return error
    abort ??= new AbortError(error)
    return abort
  }
  try {
    const result = await run()
    for (const answer of answersOf(result)) {
      if (isStreamingResponse(answer)) answer.mapError(mapError)
    }
    return result
  } catch (error) {
    throw mapError(error)
  }
}
