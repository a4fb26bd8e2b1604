/**
 * @module
 * The classes whose instances a saved task may contain.
 */
import { errorMessage, lazy } from '@x/core/values'
import {
  ChatMessage,
  type ClassRegistry,
  type Dict,
  type ModelClass,
  NodeWithScore,
  nodeClasses,
  type ReadOptions,
  SerializationError,
} from '@x/core-model'
import { ChatMemoryBuffer } from '@x/core-model/memory'
import { AgentChatResponse } from '../answer/agent-chat-response.ts'
import { QueryResponse } from '../answer/query-response.ts'

/** The end of messages about unknown classes. */
export const ADVICE = 'pass its class in the option registry of the runner'

/** The classes of the `@x` packages. */
const builtIn = lazy((): ReadonlySet<unknown> => {
  const { classes } = nodeClasses()
  return new Set([ChatMessage, NodeWithScore, ...classes, AgentChatResponse, ChatMemoryBuffer, QueryResponse])
})

const byName = (classes: Iterable<unknown>): ReadonlyMap<string, SavableClass> =>
  new Map(Array.from(classes as Iterable<SavableClass>, (known) => [known.className(), known]))

const builtInByName = lazy(() => byName(builtIn()))

/** The classes whose instances a saved task may contain: those of the `@x` packages and those of the caller. */
export class SavedClasses {
  private readonly known: ReadonlyMap<string, SavableClass>
  private readonly registry: ClassRegistry | undefined

  constructor(registry: ClassRegistry | readonly SavableClass[] = []) {
    const isList = Array.isArray(registry)
    this.known = isList && registry.length > 0 ? byName([...builtIn(), ...registry]) : builtInByName()
    this.registry = isList ? undefined : (registry as ClassRegistry)
  }

  find(name: unknown): SavableClass | undefined {
    return typeof name === 'string' ? (this.known.get(name) ?? this.registry?.get(name)) : undefined
  }

  /** Returns the model class with this name, for nested models. */
  get(name: unknown): ModelClass | undefined {
    const found = this.find(name)
    return found && isModelClass(found) ? found : undefined
  }

  /** Writes a model. @throws {SerializationError} if it contains models of unknown classes, which could not be read back. */
  dictOf(model: { toDict(): Dict }, path: string): Dict {
    const dict = model.toDict()
    const { node } = model as { node?: object }
    const isBuiltIn = builtIn().has(model.constructor) && (!node || builtIn().has(node.constructor))
    if (isBuiltIn) return dict
    try {
      this.find(this.nameOf(model))?.fromDict(dict, {}, { registry: this })
    } catch (error) {
      const { name } = (node ?? model).constructor
      throw new SerializationError(path, `a ${name} could not be read back (${errorMessage(error)}); ${ADVICE}`, {
        cause: error,
      })
    }
    return dict
  }

  /**
   * Returns the class name to write for an object; undefined if its class is unknown, or has only the name of the class that it extends
   * and would be read back as that.
   */
  nameOf(value: object): string | undefined {
    const valueClass = value.constructor as Partial<SavableClass> | undefined
    const name = valueClass?.className?.()
    const found = this.find(name)
    return found && !Object.prototype.isPrototypeOf.call(found, valueClass!) ? name : undefined
  }
}

/** Whether instances of a class are models. */
export function isModelClass(known: SavableClass | ModelClass): known is ModelClass {
  return 'spec' in known
}

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
