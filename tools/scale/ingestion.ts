/** How fast workers ingest documents with two summaries each: by the resource that is full first. */

/** Times in seconds. */
interface Ingestion {
  /** Of the processor, to parse a document. */
  parseCpu: number
  /** To store a document. */
  storeSeconds: number
  /** The requests per minute that the model allows. */
  perMinute: number
  workers: number
}

/** Documents that each worker has in work. */
const AT_ONCE = 20
/** Documents that the database stores at the same time. */
const WRITERS = 2
/** The mean time of the longer of two calls: each takes a second (median), and its logarithm varies by 0.5. */
const LONGER_CALL = 1.45
/** The time to save the result of a call. */
const SAVE = 0.002
/** Each worker dies once an hour; its documents continue elsewhere after 30 seconds. */
const [DEATHS_PER_SECOND, TAKEOVER] = [1 / 3600, 30]

/** Returns documents per second, the resource that limits them, and the part of the calls that deaths repeat. */
export function ingestionRate({ parseCpu, storeSeconds, perMinute, workers }: Ingestion) {
  const one = parseCpu + LONGER_CALL + 2 * SAVE + storeSeconds
  const rates = {
    'rate limit': perMinute / 60 / 2,
    'units in work': ((workers * AT_ONCE) / one) * (1 - DEATHS_PER_SECOND * TAKEOVER),
    store: WRITERS / storeSeconds,
    processors: workers / (parseCpu + 2 * SAVE),
  }
  const [limit, perSecond] = Object.entries(rates).sort(([, a], [, b]) => a - b)[0]!
  // A death repeats the calls in flight: of each document one or both.
  const inFlight = Math.min(2 * AT_ONCE, (perSecond * 2 * LONGER_CALL) / workers)
  return { perSecond, limit, repeated: (workers * DEATHS_PER_SECOND * inFlight) / (2 * perSecond) }
}
