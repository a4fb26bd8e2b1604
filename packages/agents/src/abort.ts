/**
 * @module
 * Converts the reason of an abort to an error. Everything inside a run (models, tools, retrievers) rejects with the reason of its
 * signal. The run itself rejects with an {@link AbortError}, so that its caller can distinguish a cancelled run from a failed one.
 */

import { AbortError } from './agent-error.ts'
import { isStreamingResponse } from './answer/chat-answer.ts'

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
