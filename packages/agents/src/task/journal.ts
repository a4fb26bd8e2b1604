/**
 * @module
 * Where and how tasks are saved, as the parts of an agent see it. `journal()` makes one, and brings the code.
 */
import type { BaseMemory, CallbackManager, ChatMessage, Dict, TaskStore } from '@x/core-model'
import type { TaskSnapshot, TaskState } from './agent-state.ts'
import type { Durable, JournalPort, Json, ResultCodec } from './durable.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { JournalEvent } from './saved-task.ts'
import type { Task } from './task.ts'
import type { TaskStep } from './task-step.ts'
import type { TaskStepOutput } from './task-step-output.ts'
import type { SavedTask, TaskVersion, WrittenLists } from './versions.ts'

/** Options for loading a task. */
export interface LoadTaskOptions {
  /** The conversation of the task. An empty memory receives the saved messages. @defaultValue the saved conversation */
  memory?: BaseMemory | null | undefined
  /** Where this task is saved, if the agent saves none: for an agent behind a tool, its part of the journal of the calling task. */
  taskStore?: Journal | undefined
}

/** A saved task that was read and checked. */
export interface ReadTask {
  taskId: string
  input: string
  inputMessage: ChatMessage | null
  extraState: Dict
  stepQueue: TaskStep[]
  completedSteps: TaskStepOutput[]
  snapshots: TaskSnapshot[]
  stepsStarted: number
  openSteps: ReadOpenStep[]
  finalized: boolean
  memoryLength: number | null
  conversationId: string | null
  /** The number of messages of a conversation with an id when the task began; null if it is not known. */
  conversationLength: number | null
  conversation: ChatMessage[]
  ownsConversation: boolean
  /** The arrays in the states, for the writer of the next entries. */
  lists: WrittenLists
}

/** A step that was started, with the results of its calls. */
export interface ReadOpenStep {
  stepId: string
  number: number
  results: Record<string, Json>
}

/** The parts of a runner that a loaded task needs. */
export interface TaskOwner<State> {
  memory: BaseMemory
  callbackManager: CallbackManager
  /** Returns the messages that a task adds to its conversation. */
  ownMessages: (task: Task) => Promise<ChatMessage[]>
  makeState: (task: Task, firstStep: TaskStep) => State
}

/** The part of a journal that belongs to the agent behind a tool call. */
export interface JournalPart {
  /** The port, if an engine has the journal. */
  readonly durable?: JournalPort | undefined
  readonly taskStore?: Journal | undefined
  /** Throws the error of the journal if there was one. It ends the step, even if the tool caught the error. */
  check(): void
}

/** A journal that was loaded. */
export interface LoadedJournal {
  version: TaskVersion
  lists: WrittenLists
  entries: readonly unknown[]
}

/** Returns the next entry of a journal. */
export type MakeEvent = (writer: JournalWriter) => JournalEvent

/** How a journal begins. */
export interface BeginOptions {
  forkedFrom?: { task_id: string; at_step: number } | undefined
  /** Whether the first entry is stored together with the next one, because the task begins to run at once. */
  isLater?: boolean | undefined
}

/** The journal of one task in a store. Entries are appended one after the other. */
export interface OpenJournal {
  /** Whether another runner has taken over the task. */
  readonly claimed: boolean
  /** Whether this is a part of the journal of another task. */
  readonly isPart: boolean
  /** Whether the journal is in this store. */
  isIn(store: TaskStore): boolean
  /** Returns the part of the agent behind a tool call. */
  part(place: string): JournalPart
  /** Returns the entries of the agent behind a call that has not returned. */
  openPart(place: string): readonly unknown[] | undefined
  /** Frees the memory of agents whose calls have returned, while a change of the task is being saved. */
  releaseParts(state: TaskState): void
  /** Whether the store has more entries than this journal. */
  isBehind(entries: number): boolean
  /** Appends the first entry. */
  begin(state: TaskState, options?: BeginOptions): Promise<void>
  /**
   * Appends entries after all earlier ones, together. Resolves when they are stored.
   * @throws {TaskClaimedError} if another runner has appended entries.
   * @throws {SerializationError} naming the value that cannot be saved.
   */
  append(...makes: readonly MakeEvent[]): Promise<void>
  /** Deletes the journal, after all earlier operations. */
  delete(): Promise<void>
}

/** How a task is saved. */
export interface SavedBy {
  readonly code: Journal
  /** Undefined without a store. */
  readonly journal: OpenJournal | undefined
}

/**
 * Where tasks are saved, and the code that writes and reads them. Made by `journal(store)`.
 * @see {@link journal}
 */
export interface Journal extends ResultCodec {
  /** Undefined if tasks are saved by `saveTask` alone, or by an engine. */
  readonly store: TaskStore | undefined
  /** Returns the memory of a conversation by its id. */
  readonly openConversation: ((conversationId: string) => BaseMemory | Promise<BaseMemory>) | undefined
  /** Returns a journal in another store. @internal */
  within(store: TaskStore): Journal
  /** Returns the journal of a task in the store. @internal */
  open(taskId: string, now: () => number, loaded?: LoadedJournal): OpenJournal
  /** Returns the part of an engine's journal for the agent behind the call at a place. @internal */
  inner(engine: Durable, place: string): JournalPart
  /** Returns the entries of a task in the store; null if it does not exist. @internal */
  entries(taskId: string): Promise<readonly unknown[] | null>
  /** Returns a task in JSON. @param partOf - returns the entries of the agent behind the call at a place. @internal */
  save(state: TaskState, partOf: (place: string) => readonly unknown[] | undefined): SavedTask
  /** Reads a task, or the entries of its journal. @internal */
  read(data: unknown, readsState: (state: Dict) => boolean): { read: ReadTask; entries: LoadedJournal | undefined }
  /** Returns the state of a task that was read. @internal */
  load<State extends TaskState>(read: ReadTask, options: LoadTaskOptions, owner: TaskOwner<State>): Promise<State>
}

/** The code that a port brings; undefined if it has none. */
export function journalOf(port: Durable | undefined): Journal | undefined {
  return (port as Partial<JournalPort> | undefined)?.journal as Journal | undefined
}
