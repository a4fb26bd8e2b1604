import type { CallbackHandler } from './callback-handler.ts'

/**
 * Runs `work` inside the context of a handler and returns its result. If the handler fails or does not call `work`, `work` runs anyway.
 * @param onHandlerError - receives an error of the handler itself.
 */
export function runInside<T>(
  handler: CallbackHandler,
  eventId: string,
  work: () => T,
  onHandlerError: (error: unknown) => void,
): T {
  let result: { value: T } | { error: unknown } | undefined
  const once = (): unknown => {
    result ??= settled(work)
    if ('error' in result) throw result.error
    return result.value
  }
  try {
    handler.runInside?.(eventId, once)
  } catch (error) {
    if (!(result && 'error' in result && result.error === error)) onHandlerError(error)
  }
  result ??= settled(work)
  if ('error' in result) throw result.error
  return result.value
}

function settled<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
