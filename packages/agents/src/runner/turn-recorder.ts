/**
 * @module
 * Writes a turn of a conversation while its task runs.
 */
import { type CallMark, type ChatMessage, isToolkitError, type TurnMarks, type TurnState } from '@x/core-model'
import { attemptsOf, isSameMessage, shownTurn, type TurnMemory, turnMemoryOf, withoutTurn } from '@x/core-model/memory'
import type { AgentWorker } from '../loop/agent-worker.ts'
import { hasJsonArguments } from '../loop/json-arguments.ts'
import { failedOutput } from '../loop/loop.ts'
import { withNewArguments } from '../loop/native/native-protocol.ts'
import type { AgentEvent, PendingToolCall } from '../task/agent-event.ts'
import type { TaskState } from '../task/agent-state.ts'
import { undecidedCalls } from '../task/approvals.ts'
import { inputMessageOf } from '../task/task.ts'
import { isUsage } from '../task-usage.ts'
import { isCallError } from '../tool/tool-errors.ts'
import type { OnAgentEvent } from './runner-options.ts'
import {
  askedIn,
  type Call,
  CallMarks,
  ownMessages,
  pendingOf,
  plainCall,
  shownSteps,
  sourcesOf,
  turnSoFar,
  withAnswer,
  withAttempts,
} from './turn-so-far.ts'

/** The name of the reason of a signal that ends a run whose task continues in another process: its turn stays open. */
export const GIVEN_BACK = 'GivenBackError'

/** What a later task reads behind the error of a tool that has ended a run. */
const UNKNOWN_EFFECT = 'It is unknown whether this call had its effect. Check before you repeat it.'

/** How often the text of an answer that streams is written, in milliseconds. */
const TEXT_MS = 1000

/** What the step that runs has said and called, by its events. */
class OpenStep {
  text = ''
  readonly calls: Call[] = []
  /** The calls that the model writes, or that are judged, until they are made. */
  readonly inputs = new Map<string, Call>()
  /** The marks of calls that have ended the run. They run again when the task continues. */
  readonly raised: Record<string, CallMark> = {}
  /** Whether no earlier run, here or in another process, has made its calls. */
  isNew = false
}

/** Writes a turn of a conversation while its task runs. */
export class TurnRecorder {
  /** The turn in a chat store; undefined for a memory that receives the turn when its run fails. */
  private readonly memory: TurnMemory | undefined
  private readonly state: TaskState
  private readonly worker: AgentWorker
  private readonly hasEngine: boolean
  /** The message of the user for later tasks, if the worker has accepted it in this run. */
  private accepted: ChatMessage | undefined
  private step = new OpenStep()
  /** The messages of the completed steps, while they are known. */
  private own: ChatMessage[] | undefined
  /** The messages that were written. */
  private written: readonly ChatMessage[] = []
  private writing: Promise<void> = Promise.resolve()
  /** A write that has not begun: what happens until then is part of it. */
  private next: Promise<void> | undefined
  private writtenAt = Date.now()
  /** The calls of the turn that waited, until they have run. */
  private asked: readonly PendingToolCall[] | undefined
  private readonly marks: CallMarks
  /** Whether the run was stopped, or its time is over: no call begins any more. */
  private isCut = false
  /** The ids of the calls whose tools have begun in this run, and the errors of those that have ended it. */
  readonly begun = new Map<string, unknown>()

  /** Returns the recorder of a task; undefined if its memory receives the messages when the task is finalized. */
  static of(state: TaskState, worker: AgentWorker, hasEngine?: boolean): TurnRecorder | undefined {
    const memory = turnMemoryOf(state.task.memory)
    return memory || state.leavesTurn ? new TurnRecorder(memory, state, worker, hasEngine) : undefined
  }

  /** @param hasEngine - whether an engine saves the calls: nobody knows here what earlier runs have done. */
  constructor(memory: TurnMemory | undefined, state: TaskState, worker: AgentWorker, hasEngine = false) {
    memory?.refresh()
    this.memory = memory
    this.state = state
    this.worker = worker
    this.hasEngine = hasEngine
    this.asked = pendingOf(state)
    this.marks = new CallMarks(this.asked)
  }

  /** Whether the turn is in a chat store. */
  get isStored(): boolean {
    return this.memory !== undefined
  }

  /** Receives the events of the run. A call is written before it runs. */
  through(next: OnAgentEvent | undefined): OnAgentEvent {
    return (event) => {
      const written = this.note(event)
      const passed = next?.(event)
      return written ? Promise.all([written, passed]) : passed
    }
  }

  private note(event: AgentEvent): Promise<void> | undefined {
    if (event.taskId !== this.state.task.taskId) return undefined
    switch (event.type) {
      case 'step_start': {
        const { results, stepNumbers } = this.state
        const isNew = !this.hasEngine && !results.get(stepNumbers.get(event.stepId)!)?.size
        this.step = Object.assign(new OpenStep(), { isNew })
        return undefined
      }
      case 'turn_restarted':
        this.step = Object.assign(new OpenStep(), { isNew: this.step.isNew })
        return undefined
      case 'text_delta':
        this.step.text += event.delta
        // What is not written is missing after a crash: no reason for the run to fail.
        if (this.memory && Date.now() - this.writtenAt >= TEXT_MS) void this.writeOpen().catch(() => {})
        return undefined
      case 'tool_input_delta': {
        const { callId: id, toolName: name, delta } = event
        this.step.inputs.set(id, { id, name, arguments: (this.step.inputs.get(id)?.arguments ?? '') + delta })
        return undefined
      }
      case 'tool_call': {
        const { callId: id, toolName: name, arguments: args, invalidArguments } = event
        if (this.marks.isInner(id)) return undefined
        this.step.inputs.delete(id)
        this.step.calls.push({ id, name, arguments: invalidArguments ?? JSON.stringify(args) })
        this.marks.addCall(event)
        return this.memory && this.writeOpen()
      }
      case 'tool_result': {
        const { callId, content, isError } = event
        const call = this.step.calls.find(({ id }) => id === callId)
        if (call) call.result = { content, isError }
        this.marks.addResult(event)
        return undefined
      }
      default:
        return undefined
    }
  }

  /**
   * Writes which messages belong to the completed steps of a task that was loaded, and the calls that waited: the process that ran it has
   * ended, maybe before it wrote them.
   */
  async resumed(): Promise<void> {
    const own = await this.memory?.own()
    if (!own || own.state === 'done' || own.state === 'waiting') return
    const turn = shownTurn(own)
    const { messages, kept, calls, words } = await this.soFar('open')
    this.marks.addFailures(messages, sourcesOf(this.state.task))
    const attempts = attemptsOf(turn)
    const known = [...attempts, ...messages]
    const rest = turn.messages.slice(known.length)
    const isSame = known.every((message, place) => isSameMessage(turn.messages[place], message))
    const { asked: waiting } = this
    const isMarked = this.marks.areIn(turn)
    if (isSame && isMarked && kept + attempts.length === turn.kept && waiting?.length === turn.waiting?.length) return
    const open = rest.map(({ additionalKwargs }) => String(additionalKwargs['tool_call_id']))
    const marks = Object.fromEntries(Object.entries(turn.calls ?? {}).filter(([id]) => open.includes(id)))
    const text = words && [...words, ...own.messages.slice(attemptsOf(own).length + words.length)]
    await this.put([...messages, ...rest], { state: turn.state, kept, calls: { ...marks, ...calls }, waiting }, text)
  }

  /** Writes the completed steps. */
  async stepDone(): Promise<void> {
    this.step = new OpenStep()
    this.own = this.asked = undefined
    if (this.memory) await this.write(() => this.save('open'))
  }

  /** Writes the steps that are left after an undo. */
  async undone(): Promise<void> {
    if (this.memory) await this.write(() => this.save('failed'))
  }

  /** Writes how the run has ended: it waits, failed, was stopped, or continues in another process. */
  async end(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    const waits = isToolkitError(error, 'approval_required')
    this.own = undefined
    this.noteRaised()
    const how = endOf(signal)
    this.isCut = signal?.aborted === true && how !== 'open' && !waits
    // These calls are written, and whether they need approval is not known yet. One that is not written to its end does not count.
    if (this.isCut) this.step.calls.push(...[...this.step.inputs.values()].filter(hasJsonArguments))
    if (!this.memory) {
      if (!waits) await this.leave()
    } else await this.write(() => this.save(waits ? 'waiting' : how))
  }

  /** Gives the calls that have ended the run their results. */
  private noteRaised(): void {
    const { calls, raised } = this.step
    for (const call of calls) {
      const error = this.begun.get(call.id)
      if (call.result || error === undefined) continue
      const { content } = failedOutput(call, error)
      call.result = { content: isCallError(error) ? content : `${content}\n${UNKNOWN_EFFECT}`, isError: true }
      raised[call.id] = 'unknown'
    }
  }

  /** Writes the finished turn. */
  async done(own: readonly ChatMessage[]): Promise<void> {
    const steps = shownSteps(this.state.task, this.worker)
    const shown = steps ? withAnswer([...own.slice(0, 1), ...steps], own.at(-1)) : own
    this.marks.addFailures(shown, sourcesOf(this.state.task))
    await this.write(() => this.put(shown, { state: 'done', ...this.usage }, steps && own))
  }

  /** Adds what a run has done that failed or was stopped. */
  private async leave(): Promise<void> {
    const { messages, words = messages } = await this.soFar('failed')
    const { task } = this.state
    for (const [i, message] of words.entries()) {
      await task.memory.put(message)
      this.state.left = words.slice(0, i + 1)
    }
  }

  /** Receives the message of the user when it is accepted. Later ones come from elsewhere. */
  readonly accepts = (message: ChatMessage): void => {
    this.accepted ??= message
  }

  /** The message of the user for later tasks; undefined until it is accepted. */
  private get input(): ChatMessage | undefined {
    return this.accepted ?? (this.worker.holdsInput ? undefined : inputMessageOf(this.state.task))
  }

  /**
   * Writes a message that is not accepted yet as such, for the case that this process ends; removes what the last run has left: the task
   * continues, and adds its messages at its end.
   */
  async begin(): Promise<void> {
    const { left, task, completedSteps } = this.state
    // A turn that was begun for an agent of this process says so already.
    const isOpen = this.worker.holdsInput && this.memory && completedSteps.length === 0
    if (isOpen && !(await this.memory!.own())?.shown) await this.writeOpen()
    if (!left) return
    this.state.left = null
    const all = await task.memory.getAll()
    const others = withoutTurn(all, left)
    if (others !== all) await task.memory.set(others)
  }

  /** What the task has used. */
  private get usage(): Pick<TurnMarks, 'usage'> {
    const { usage } = this.state.task.extraState
    return isUsage(usage) ? { usage: { ...usage } } : {}
  }

  private writeOpen(): Promise<void> {
    this.next ??= this.write(() => {
      this.next = undefined
      return this.save('open')
    })
    return this.next
  }

  private write(work: () => Promise<void>): Promise<void> {
    const next = this.writing.then(work)
    this.writing = next.catch(() => {})
    return next
  }

  private async save(state: TurnState): Promise<void> {
    this.writtenAt = Date.now()
    const { messages, kept, calls, words } = await this.soFar(state)
    const waiting = state === 'waiting' ? undecidedCalls(this.state).map(plainCall) : this.asked
    const usage = state !== 'open' && this.usage
    await this.put(
      messages,
      { state, kept, calls: { ...calls, ...this.step.raised }, ...(waiting && { waiting }), ...usage },
      words,
    )
  }

  /**
   * Writes the messages after those that were written before.
   * @param words - the messages of the conversation, if they have no calls: then the others are in the marks. @defaultValue `shown`
   */
  private async put(
    shown: readonly ChatMessage[],
    { kept, ...given }: Omit<TurnMarks, 'id' | 'task'>,
    words?: readonly ChatMessage[],
  ): Promise<void> {
    const { memory, written } = this
    if (!memory) return
    const turn = await memory.own()
    const before = turn && shownTurn(turn)
    const { messages: page, ...places } = withAttempts(before, shown, kept)
    // A run that is repeated up to where it was knows less than what is written.
    if (given.state === 'open' && page.length < (before?.messages.length ?? 0)) return
    const { messages, ...own } = words ? withAttempts(turn, words) : { messages: page, ...places }
    const marks = {
      ...given,
      ...(this.worker.holdsReasoning && { hidesReasoning: true }),
      ...own,
      ...(words && { shown: { ...places, messages: page.map((one) => one.toDict()) } }),
    }
    const { turn: task, turns, conversationId: key } = memory
    let from = 0
    while (from < messages.length && isSameMessage(written[from], messages[from]!)) from++
    const waiting =
      given.state === 'waiting' ? given.waiting : given.waiting?.map((call) => askedIn(turn, call) ?? call)
    const { replaced } = turn ?? {}
    const all = {
      ...marks,
      ...(waiting && { waiting }),
      ...(replaced && { replaced }),
      ...this.marks.with(turn, marks.calls),
    }
    const isWritten = await turns.save(key, task, { marks: all, from, messages: messages.slice(from) })
    // Another process has written the turn.
    if (!isWritten) await turns.save(key, task, { marks: all, from: 0, messages })
    this.written = messages
  }

  private async soFar(turnState: TurnState): Promise<ReturnType<typeof turnSoFar>> {
    const { state, worker, step, begun } = this
    // The task has the arguments of an edit among its messages when the step is done.
    const { edited } = this.marks
    this.own ??= (await ownMessages(state.task, worker)).own.map((message) => edited.reduce(withNewArguments, message))
    const { isCut, asked } = this
    const isUnbegun = (id: string) =>
      (isCut && step.isNew && !begun.has(id)) ||
      asked?.some((call) => call.id === id && call.decision === 'reject' && !call.begun)
    return turnSoFar(turnState, { state, worker, step, input: this.input, own: this.own, isUnbegun })
  }
}

function endOf(signal: AbortSignal | undefined): TurnState {
  if (!signal?.aborted) return 'failed'
  if ((signal.reason as { name?: unknown } | undefined)?.name === GIVEN_BACK) return 'open'
  // The time limit of the run, which nobody has asked to stop.
  return isToolkitError(signal.reason, 'deadline_exceeded') ? 'failed' : 'stopped'
}
