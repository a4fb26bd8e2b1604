/**
 * @module
 * Brings the code that saves tasks, for the options `taskStore` and `durable` of agents.
 */
import { callback, checkOption, checkOptions, having, unchecked } from '@x/core/options'
import { invalidRecord, modelReader, readRecord } from '@x/core/reading'
import { type BaseMemory, ChatMessage, type ClassRegistry, type Dict, type TaskStore, ToolOutput } from '@x/core-model'
import { HandledError, readHandledError, readSaved, writeHandledError } from './loop/handled-errors.ts'
import type { SavedReply } from './loop/reply.ts'
import type { TaskState } from './task/agent-state.ts'
import { readWholeJournal, withAgentTasks } from './task/agent-tasks.ts'
import type { Durable, JournalPort, Json, ResultKind, SavedCall } from './task/durable.ts'
import { InnerPort } from './task/inner-store.ts'
import type { Journal, LoadedJournal, LoadTaskOptions, ReadTask, TaskOwner } from './task/journal.ts'
import { dataOf, loadedState, readSavedTask } from './task/load-task.ts'
import { journalEntries, readVersions } from './task/read-journal.ts'
import { conversationOf, DocumentWriter } from './task/saved-task.ts'
import { type SavableClass, SavedClasses, StateReader, StateWriter } from './task/state-codec.ts'
import { TaskJournal } from './task/task-journal.ts'
import { plain, type SavedTask } from './task/versions.ts'
import { expandJournal } from './task/written-once.ts'
import { readTokens } from './task-usage.ts'

/** Options of {@link journal} and {@link journalPort}. */
export interface JournalOptions {
  /**
   * Your own classes whose instances saved tasks may contain: models, and classes with `className`, `toDict` and `fromDict`.
   * @defaultValue only the classes of this package, messages and nodes
   */
  registry?: ClassRegistry | readonly SavableClass[] | undefined
  /** Returns the memory of a conversation by its id, for tasks that are loaded. @defaultValue only the memory of the agent */
  openConversation?: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined
}

/**
 * Saves tasks: the option `taskStore` of an agent. Every change of a task is stored before the task continues. Without a store, tasks
 * are saved only by `saveTask`.
 * @example
 * const store = new MemoryTaskStore()
 * const llm = new ScriptedLLM({ answers: ['Answer: four'] })
 * const agent = ReActAgent.fromTools({ llm, taskStore: journal(store) })
 * await agent.chat('How much is 2 + 2?', { taskId: 'sum' })
 * store.list().map(({ taskId }) => taskId) // => ['sum']
 */
export function journal(store: TaskStore | null = null, options: JournalOptions = {}): Journal {
  checkOption('journal', 'store', store, having('a task store', 'append', 'load'))
  checkOptions('journal', options, { registry: unchecked, openConversation: callback })
  const { registry, openConversation } = options
  return new TaskSaving(store ?? undefined, new SavedClasses(registry), openConversation)
}

/**
 * Returns what an agent needs of an engine that saves and repeats calls by itself, with the code that writes their results: the option
 * `durable` of an agent.
 * @param port - calls `fn`, saves its result under `name`, and returns the saved result when the name is known.
 * @example
 * const saved = new Map<string, Json>()
 * const durable = journalPort(async (name, fn) => {
 *   if (!saved.has(name)) saved.set(name, await fn())
 *   return saved.get(name) as never
 * })
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), durable })
 * await agent.chat('How much is 2 + 2?')
 * Array.from(saved.keys()) // => ['step-1/model']
 */
export function journalPort(port: Durable, options: JournalOptions = {}): JournalPort {
  const call: Durable = (name, fn) => port(name, fn)
  return Object.assign(call, { journal: journal(null, options) })
}

/** Returns the output of a tool as a saved task contains it; a raw output without a JSON form becomes the content. For your own stores. */
export function writeToolOutput(output: ToolOutput): Dict {
  return new StateWriter(new SavedClasses()).output(ToolOutput.validate(output), `output of ${output.toolName}`, false)
}

/** Returns the output of a tool from what {@link writeToolOutput} has returned. */
export function readToolOutput(data: Dict): ToolOutput {
  return readRecord('ToolOutput', data, ({ data: dict }) => new StateReader(new SavedClasses()).output(dict))
}

class TaskSaving implements Journal {
  readonly store: TaskStore | undefined
  readonly openConversation: JournalOptions['openConversation']
  private readonly classes: SavedClasses

  constructor(
    store: TaskStore | undefined,
    classes: SavedClasses,
    openConversation: JournalOptions['openConversation'],
  ) {
    this.store = store
    this.classes = classes
    this.openConversation = openConversation
  }

  within(store: TaskStore): Journal {
    return new TaskSaving(store, this.classes, this.openConversation)
  }

  open(taskId: string, now: () => number, loaded?: LoadedJournal): TaskJournal {
    return new TaskJournal(this.store!, taskId, { journal: this, classes: this.classes, now, loaded })
  }

  inner(engine: Durable, place: string): InnerPort {
    return new InnerPort(engine, place)
  }

  entries(taskId: string): Promise<readonly unknown[] | null> {
    return journalEntries(this.store!, taskId)
  }

  save(state: TaskState, partOf: (place: string) => readonly unknown[] | undefined): SavedTask {
    const { classes } = this
    const saved = new DocumentWriter(state.task.taskId, classes).task(state, conversationOf(state))
    return withAgentTasks(plain(saved) as SavedTask, partOf, classes)
  }

  read(data: unknown, readsState: (state: Dict) => boolean): { read: ReadTask; entries: LoadedJournal | undefined } {
    const { classes, store } = this
    const entries = Array.isArray(data) ? expandJournal(data) : undefined
    if (!entries) return { read: readSavedTask(data, classes, readsState), entries: undefined }
    // Without a store for its parts, calls that wait contain the tasks of their agents.
    if (!store)
      return { read: readSavedTask(readWholeJournal(entries, classes), classes, readsState), entries: undefined }
    const version = readVersions(entries)
    const read = readSavedTask(dataOf(version.task), classes, readsState, version.before)
    return { read, entries: { version, lists: read.lists, entries } }
  }

  load<State extends TaskState>(read: ReadTask, options: LoadTaskOptions, owner: TaskOwner<State>): Promise<State> {
    return loadedState(read, options, owner, this.openConversation)
  }

  async savedCall<T>({ durable, name, make, kind, live, isStrict, signal }: SavedCall<T>): Promise<T> {
    let made: (() => T) | undefined
    const result = await durable(name, async () => {
      try {
        const value = await make()
        made = () => value
      } catch (error) {
        const handled = kind.handles?.(error) ? writeHandledError(error) : undefined
        if (handled === undefined) throw error
        made = () => {
          throw error
        }
        return handled
      }
      return this.written(kind, made(), isStrict)
    })
    if (made && !signal?.aborted) live?.set(name, made)
    const known = made ?? (live?.get(name) as typeof made)
    return known ? known() : this.readResult(kind, name, result)
  }

  private written<T>({ kind }: ResultKind<T>, value: T, isStrict: boolean): Json {
    if (kind === 'reply') return replyDict(value as SavedReply)
    if (kind === 'data') return value as Json
    const output = value as Parameters<StateWriter['output']>[0]
    return new StateWriter(this.classes).output(output, `output of ${output.toolName}`, isStrict) as Json
  }

  private readResult<T>({ kind, fits, handles, unhandled }: ResultKind<T>, name: string, data: Json): T {
    return readSaved(name, () => {
      const error = handles || unhandled ? readHandledError(data) : undefined
      const result = error && !handles?.(error) ? unhandled?.(error) : undefined
      if (result) return result
      if (error) throw new HandledError(error)
      if (kind === 'reply') return readReply(data) as T
      if (kind === 'output')
        return new StateReader(this.classes).output(readRecord('ToolOutput', data, ({ data: dict }) => dict)) as T
      if (fits && !fits(data)) throw invalidRecord('Journal', 'value', 'a result of this call', data)
      return data as T
    })
  }
}

/** A reply without the raw answer of the provider. */
function replyDict({ message, usage, finishReason, asking }: SavedReply): Json {
  return {
    message: message.toDict(),
    ...(usage && { usage: { ...usage } }),
    ...(finishReason !== null && { finish_reason: finishReason }),
    ...(asking.length > 0 && { asking }),
  } as Json
}

function readReply(data: Json): SavedReply {
  return readRecord('Reply', data, (fields) => ({
    message: fields.record('message', modelReader(ChatMessage)),
    usage: fields.has('usage') ? fields.record('usage', (usage) => (usage === null ? null : readTokens(usage))) : null,
    finishReason: fields.nullableString('finish_reason') as SavedReply['finishReason'],
    asking: fields.has('asking') ? fields.array('asking').map(String) : [],
  }))
}
