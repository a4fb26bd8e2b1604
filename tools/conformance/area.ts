/** What a case expects. */
export interface Expectation {
  value?: unknown
  throws?: boolean
  /** Name of the wanted error; `*` is any. */
  error?: string
  why?: string
  [key: string]: unknown
}

/** One case of a conformance file. */
export interface Case {
  id: string
  op: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the operation
  given: Record<string, any>
  expect: Expectation
  [key: string]: unknown
}

/** Runs the cases of one area. */
export interface Area {
  /** Throws an error with a one-line reason when the case is not as expected. */
  check(testCase: Case): Promise<void>
}
