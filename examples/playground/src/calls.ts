/** Calls of the worker. */
import { useEffect, useState } from 'preact/hooks'
import type { Failure, Work } from './work.ts'

const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Failure) => void }>()
let count = 0

worker.onmessage = ({ data: { id, result, error } }) => {
  const call = waiting.get(id)
  waiting.delete(id)
  if (error) call?.reject(error)
  else call?.resolve(result as never)
}

/** Calls a method of {@link Work} in the worker. Rejects with a {@link Failure}. */
export function call<Method extends 'parse' | 'search' | 'evaluate'>(
  method: Method,
  ...args: Parameters<Work[Method]>
): ReturnType<Work[Method]> {
  const id = ++count
  worker.postMessage({ id, method, args })
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject })) as ReturnType<Work[Method]>
}

/** The last result of a call and its error; the call is repeated when `inputs` change. */
export function useCalled<Method extends 'search' | 'evaluate'>(
  method: Method,
  args: Parameters<Work[Method]>,
  inputs: readonly unknown[],
): { result: Awaited<ReturnType<Work[Method]>> | null; failure: Failure | null } {
  const [result, setResult] = useState<Awaited<ReturnType<Work[Method]>> | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  useEffect(() => {
    let isOld = false
    call(method, ...args).then(
      (found) => {
        if (isOld) return
        setResult(() => found as Awaited<ReturnType<Work[Method]>>)
        setFailure(null)
      },
      (error) => isOld || setFailure(error),
    )
    return () => {
      isOld = true
    }
  }, inputs)
  return { result, failure }
}
