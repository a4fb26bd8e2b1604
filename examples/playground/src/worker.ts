/** The worker of the page: calls of `Work`, one message each. */
import { failureOf, Work } from './work.ts'

const work = new Work()

interface Request {
  id: number
  method: 'parse' | 'search' | 'evaluate'
  args: never
}

/** One after the other: a search waits for the document that was sent before it. */
let last: Promise<unknown> = Promise.resolve()

self.onmessage = ({ data: { id, method, args } }: MessageEvent<Request>) => {
  last = last.then(async () => {
    try {
      self.postMessage({ id, result: await (work[method] as (...given: never) => Promise<unknown>).apply(work, args) })
    } catch (error) {
      self.postMessage({ id, error: failureOf(error) })
    }
  })
}
