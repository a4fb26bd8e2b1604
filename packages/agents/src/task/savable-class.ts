/**
 * @module
 * The contract of classes whose instances a saved task may contain.
 */
import type { Dict, ReadOptions } from '@x/core-model'

/** An object that writes itself into a saved task. */
export interface Savable {
  /** Returns the object as data. It may contain everything that a saved task may contain. */
  toDict(): object
  /** Like `toDict`, but without copying the parts. Optional; with it, arrays that grow from step to step are saved once. */
  toParts?(): object
}

/**
 * A class whose instances a saved task may contain: models, and other classes with these methods.
 * @example
 * class Counter {
 *   count: number
 *   constructor(count: number) { this.count = count }
 *   static className() { return 'Counter' }
 *   static fromDict({ count }: { count: number }) { return new Counter(count) }
 *   toDict() { return { count: this.count } }
 * }
 * const llm = new ScriptedLLM({ answers: ['Answer: one'] })
 * const agent = ReActAgent.fromTools({ llm, taskStore: journal(null, { registry: [Counter] }) })
 * const { taskId } = await agent.createTask('Count!', { extraState: { counter: new Counter(1) } })
 *
 * const again = ReActAgent.fromTools({ llm, taskStore: journal(null, { registry: [Counter] }) })
 * const task = await again.loadTask(agent.saveTask(taskId))
 * task.extraState.counter // => new Counter(1)
 */
export interface SavableClass {
  readonly prototype: Savable
  /** Returns the name in saved tasks. It must be a literal: minifiers rename classes. */
  className(): string
  /** Reads the result of `toDict` or `toParts`. Throws for invalid data. */
  fromDict(data: unknown, overrides?: Dict, options?: ReadOptions): object
}
