/** Calls of the worker. */
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
