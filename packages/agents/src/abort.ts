/**
 * @module
 * What a cancelled run rejects with. Everything inside of a run (models, tools, retrievers) rejects with the reason of its signal;
 * the run itself with an {@link AbortError}, so that its caller can tell a cancelled run from one that failed.
 */
import { StreamingAgentChatResponse } from './agent-chat-response.ts'
import { AbortError } from './errors.ts'

/**
 * Calls `run`; rejects with an {@link AbortError} when it rejects with the reason of the caller's signal. The same holds for the
 * streams of its result.
 */
export function withAbortError<T>(
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
  answersOf: (result: T) => readonly unknown[],
): Promise<T> {
  return signal ? reportAbort(signal, run, answersOf) : run()
}

async function reportAbort<T>(
  signal: AbortSignal,
  run: () => Promise<T>,
  answersOf: (result: T) => readonly unknown[],
): Promise<T> {
  let abort: AbortError | undefined
  const mapError = (error: unknown): unknown => {
    if (!signal.aborted || error !== signal.reason) return error
    abort ??= new AbortError(error)
    return abort
  }
  try {
    const result = await run()
    for (const answer of answersOf(result)) {
      if (answer instanceof StreamingAgentChatResponse) answer.mapError(mapError)
    }
    return result
  } catch (error) {
    throw mapError(error)
  }
}
