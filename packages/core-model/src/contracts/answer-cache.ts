/** Stores answers as strings: a `Map`, or an asynchronous store. */
export interface AnswerCache {
  get(key: string): string | undefined | null | Promise<string | undefined | null>
  set(key: string, answer: string): unknown
}
