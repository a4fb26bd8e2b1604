/**
 * @module
 * The journal of a task as rows that a person reads.
 */
import { ReActOutputParser } from '@x/agents/protocol'
import { journalEntries, nextVersion, plain, type TaskVersion } from '@x/agents/store'
import { checkGiven } from '@x/core/options'
import { isPlainObject, jsonOr, textOrJson } from '@x/core/values'
import type { Dict, TaskStore, TokenUsage } from '@x/core-model'
import { fullMessage, unlessDamaged } from './durable-errors.ts'
import { isForkOfOther, type RecordRow, type TaskRecord, TaskRecords } from './task-record.ts'

/** What happened in a task. */
export interface TimelineRow {
  /** The number of the step, from 1; 0 before the first one. `forkTask` at this step keeps it. */
  turn: number
  /**
   * - `input`: the question
   * - `thought`: text of the model before the answer
   * - `call`, `result`: a call of a tool, and what it returned; `error`: its failure
   * - `waiting`: a call that waits for a person, or for its result
   * - `decision`: what was decided about it
   * - `refused`: a decision that an engine has refused, such as arguments that do not fit the tool; the call still waits
   * - `message`: what came in while the task ran: a message by `steer`, or the end of a task in the background
   * - `answer`: the answer of the task
   * - `error` without a `toolName`: why the task failed; `cancel`: it was cancelled; `retry`: it was continued
   */
  kind:
    | 'input'
    | 'thought'
    | 'call'
    | 'result'
    | 'error'
    | 'waiting'
    | 'decision'
    | 'refused'
    | 'message'
    | 'answer'
    | 'cancel'
    | 'retry'
  toolName?: string
  callId?: string
  /**
   * The text of the question, the model, the tool, the message or the failure; of a decision, `approve`, `reject` or `result`; why it was
   * refused.
   */
  text?: string
  /** The arguments of a call, or the value of a result. */
  data?: unknown
  /** The code of the error with which the task failed, or with which the decision was refused. */
  code?: string
  /** The tokens of the model call that the row begins. */
  usage?: Pick<TokenUsage, 'inputTokens' | 'outputTokens' | 'totalTokens'>
  /** Who has decided. */
  by?: string
  /** The reason of a rejection. */
  reason?: string
  /**
   * When it happened, or began to wait, in milliseconds since 1970-01-01 UTC. Absent only if another program wrote the journal without
   * times.
   */
  at?: number
  /** The call whose agent did this, as `<step>/<position>`, if an agent behind a tool did it. */
  inner?: string
  /** Whether the step was undone later. */
  isUndone?: true
  /** The id of the task in which it happened, if this task was forked from it. */
  forkedFrom?: string
}

/**
 * Returns what happened in a task, from its journal; null if the store has no journal of it. The rows of a fork begin with those of the
 * task that it was forked from. Reads only: for pages that show tasks, and for tests.
 * @throws {SavedTaskError} if a value of the journal is missing or has changed.
 * @example
 * import { journal, MemoryTaskStore, ReActAgent } from '@x/agents'
 * const store = new MemoryTaskStore()
 * const agent = ReActAgent.fromTools({ llm: new ScriptedLLM({ answers: ['Answer: four'] }), taskStore: journal(store) })
 * await agent.chat('How much is 2 + 2?', { taskId: 'sum' })
 * const rows = (await taskTimeline(store, 'sum')) ?? []
 * rows.map(({ turn, kind, text }) => [turn, kind, text]) // => [[0, 'input', 'How much is 2 + 2?'], [1, 'answer', 'four']]
 */
export async function taskTimeline(store: TaskStore, taskId: string): Promise<TimelineRow[] | null> {
  checkGiven('taskTimeline', { store }, 'a task store', 'load')
  return (await timelineOf(store, taskId, await new TaskRecords(store).find(taskId)))?.rows ?? null
}

/**
 * Returns the timeline of a task; null if it has not begun and has not failed.
 * @param record - of its submission; null without one.
 * @param seen - the tasks that were forked, so that a damaged store with a circle ends.
 */
export async function timelineOf(
  store: TaskStore,
  taskId: string,
  record: TaskRecord | null,
  seen = new Set<string>(),
): Promise<Timeline | null> {
  seen.add(taskId)
  const entries = ((await journalEntries(store, taskId)) ?? []) as Dict[]
  const own = [...(record?.rows ?? [])]
  const isTask = entries[0]?.['type'] === 'task'
  if (!isTask && own.length === 0) return null
  const origin = isTask && (entries[0]!['forked_from'] as { task_id: string; at_step: number } | undefined)
  const timeline = new Timeline(origin ? origin.task_id : undefined)
  if (origin && !seen.has(origin.task_id)) {
    // Another task may have its id.
    const before = await unlessDamaged(async () => {
      const original = await new TaskRecords(store).find(origin.task_id)
      if (isForkOfOther(record, original)) return []
      return (await timelineOf(store, origin.task_id, original, seen))?.rows ?? []
    }, [])
    // A decision about the last step is not copied: in the fork, the call waits again.
    const isKept = ({ turn, kind, isUndone }: TimelineRow) =>
      !isUndone && (kind === 'decision' || kind === 'refused' ? turn < origin.at_step : turn <= origin.at_step)
    const kept = before.filter(isKept)
    timeline.rows = kept.map((row) => ({ forkedFrom: origin.task_id, ...row }))
  }
  for (const [i, entry] of (isTask ? entries : []).entries()) {
    while (own[0] && isBefore(own[0], i, entry)) timeline.readRow(own.shift()!)
    timeline.read(entry)
  }
  for (const row of own) timeline.readRow(row)
  return timeline
}

/** Whether something in the record of a task happened before the entry at a position of its journal. */
function isBefore(row: RecordRow, position: number, { at }: Dict): boolean {
  return row.type === 'failed' ? row.entries <= position : row.type === 'retried' || row.at < Number(at)
}

/** The question of a saved task. */
function textOf(saved: unknown): string {
  const { input, input_message: message } = (
    isPlainObject(saved) && isPlainObject(saved['task']) ? saved['task'] : {}
  ) as Dict
  if (typeof input === 'string' && input !== '') return input
  return isPlainObject(message) && typeof message['content'] === 'string' ? message['content'] : ''
}

/** The messages that a step has added. */
interface StepChanges {
  task?: { extra_state?: { new_memory?: { value?: { messages?: [number, SavedMessage[]?] } } } }
}

interface SavedMessage {
  value?: { additional_kwargs?: { tool_calls?: Dict[] } }
}

/** The rows, while the entries are read. */
export class Timeline {
  rows: TimelineRow[] = []
  /** The task after the last entry. */
  private version: TaskVersion | undefined
  /** When the entry was written. */
  private at: unknown
  private usage: TimelineRow['usage']
  /** The answer of the model in a step that may continue with a message. */
  private said = ''
  private readonly names = new Map<string, string>()
  /** The rows of the calls of the turn and of their results, by the positions of the calls. */
  private turn: TimelineRow[][] = []
  /** Calls that are shown as waiting. */
  private readonly waiting = new Set<string>()
  /** The agents behind tools, by the places of their calls. */
  private readonly agents = new Map<string, Timeline>()
  /** The id of the task that it was forked from. */
  readonly forkedFrom: string | undefined

  constructor(forkedFrom?: string) {
    this.forkedFrom = forkedFrom
  }

  /** The number of completed steps. */
  get completed(): number {
    return this.version?.task.completed_steps.length ?? 0
  }

  /** What the task has used after its last entry, with calls that were stopped. */
  get used(): Partial<TokenUsage> {
    return (this.state['usage'] ?? {}) as Partial<TokenUsage>
  }

  private get state(): Dict {
    return (this.version?.task.task.extra_state ?? {}) as Dict
  }

  /** The calls that wait, or were decided and have not run. */
  private get calls(): Dict[] {
    const calls = plain(this.state['pending_calls'])
    return Array.isArray(calls) ? calls.filter(isPlainObject) : []
  }

  /** Adds a row; that of an entry belongs to the step that runs. */
  add(row: Omit<TimelineRow, 'turn'>, turn = row.kind === 'input' ? 0 : this.completed + 1): TimelineRow {
    const { usage, at } = this
    this.usage = undefined
    const added = { turn, ...(typeof at === 'number' && { at }), ...row, ...(usage && { usage }) }
    this.rows.push(added)
    return added
  }

  /** Reads the next entry. */
  read(entry: Dict): void {
    const before = this.completed
    this.at = entry['at']
    this.version = nextVersion(entry, this.version)
    switch (entry['type']) {
      case 'task':
        if (this.rows.length > 0) break
        this.add({ kind: 'input', text: textOf(entry['task']) })
        // Of a fork, whose original was deleted.
        this.answers(this.version.task.completed_steps, 1)
        break
      case 'result':
        this.result(String(entry['name']), entry['value'])
        break
      case 'step':
        this.step(entry['changes'], before + 1)
        break
      case 'decision':
        this.decision(entry)
        break
      case 'inner':
        this.inner(entry)
        break
      case 'undo':
        this.undo()
    }
  }

  /** Adds the row of an end without an answer, of a continuation, or of a refused decision. */
  readRow(row: RecordRow): void {
    this.at = row.at
    if (row.type === 'refused') this.refused(row)
    else if (row.type === 'failed') this.add({ kind: 'error', text: fullMessage(row.error), code: row.error.code })
    else this.add({ kind: row.type === 'retried' ? 'retry' : 'cancel' })
  }

  private refused({ decision, call: { id: callId, name: toolName, refused } }: RecordRow & { type: 'refused' }): void {
    const { by } = decision
    const given =
      decision.type === 'edit' ? decision.arguments : decision.type === 'result' ? decision.result : undefined
    const why = refused && { text: refused.message, code: refused.code }
    const more = { ...(given !== undefined && { data: given }), ...(by !== undefined && { by }) }
    this.add({ kind: 'refused', toolName, callId, ...why, ...more }, this.completed)
  }

  private result(name: string, value: unknown): void {
    if (Array.isArray(value)) this.messages(value)
    if (!isPlainObject(value)) return
    const [, kind, position = 0] = /(?:^|\/)(model|tool)(?:-(\d+)(?:-2)?)?$/.exec(name) ?? []
    if (kind === 'model' && isPlainObject(value['message'])) this.model(value['message'], value['usage'])
    const { content, tool_name: toolName, raw_output: data, is_error: isError } = value
    // A call whose agent waits for a decision has no result yet.
    if (kind !== 'tool' || typeof toolName !== 'string') return
    const rows = (this.turn[Number(position)] ??= [])
    const callId = rows[0]?.callId
    const row = { toolName, ...(callId !== undefined && { callId }), text: textOrJson(content) }
    rows.push(this.add({ kind: isError ? 'error' : 'result', ...row, ...(isPlainObject(data) && { data }) }))
  }

  /** Messages that a layer has received: a step stores them as an array. */
  private messages(found: readonly unknown[]): void {
    for (const item of found) {
      const message = isPlainObject(item) && item['message']
      if (!isPlainObject(message) || message['role'] !== 'user') continue
      if (this.said) this.add({ kind: 'thought', text: this.said })
      this.said = ''
      const { content } = message
      this.add({ kind: 'message', text: typeof content === 'string' ? content : JSON.stringify(content) })
    }
  }

  private model({ content, additional_kwargs: more }: Dict, usage: unknown): void {
    this.usage = isPlainObject(usage) ? (usage as unknown as TokenUsage) : undefined
    this.turn = []
    const text = typeof content === 'string' ? content : ''
    const calls = ((more as Dict | undefined)?.['tool_calls'] ?? []) as Dict[]
    if (this.state['protocol'] === 'react') {
      this.reasoning(text)
      return
    }
    // The text of a message without calls is the answer, which its step has, unless a message follows.
    this.said = calls.length > 0 ? '' : text
    if (text && calls.length > 0) this.add({ kind: 'thought', text })
    for (const { id, name, function: called, arguments: args } of calls) {
      const own = (called ?? {}) as Dict
      const toolName = String(name ?? own['name'])
      this.names.set(String(id), toolName)
      this.turn.push([this.add({ kind: 'call', toolName, callId: String(id), data: parsed(args ?? own['arguments']) })])
    }
  }

  private reasoning(text: string): void {
    try {
      const step = new ReActOutputParser().parse(text)
      this.said = step.kind === 'response' ? step.response : ''
      if (step.kind !== 'action') return
      if (step.thought) this.add({ kind: 'thought', text: step.thought })
      this.turn.push([this.add({ kind: 'call', toolName: step.action, data: step.actionInput })])
    } catch {
      this.add({ kind: 'thought', text })
    }
  }

  /** @param turn - the number of the first of the steps. */
  private step(changes: unknown, turn: number): void {
    for (const call of this.calls) this.wait(call, turn)
    this.identify(changes as StepChanges)
    this.said = ''
    const [, added = []] = ((changes as Dict)['completed_steps'] ?? []) as [number, Dict[]?]
    this.answers(added, turn)
  }

  /** Names the calls of a turn as the task does: the ids of the model may repeat, and those of a ReAct agent are made. */
  private identify(changes: StepChanges): void {
    const own = this.calls.filter(({ parent }) => parent === undefined)
    const added = changes.task?.extra_state?.new_memory?.value?.messages?.[1] ?? []
    const said = added.flatMap((message) => message.value?.additional_kwargs?.tool_calls ?? [])
    for (const [i, { id, providerId, provider_id: sent = providerId }] of (own.length > 0 ? own : said).entries())
      for (const row of this.turn[i] ?? []) if (row.callId === undefined || row.callId === sent) row.callId = String(id)
  }

  /** @param first - the number of the first of the steps. */
  private answers(steps: readonly { output?: unknown; is_last?: unknown }[], first: number): void {
    for (const [i, { output, is_last: isLast }] of steps.entries()) {
      const answer = isPlainObject(output) && isPlainObject(output['value']) ? output['value']['response'] : undefined
      if (isLast && typeof answer === 'string') this.add({ kind: 'answer', text: answer }, first + i)
    }
  }

  private wait({ id, name, arguments: args, decision, approval }: Dict, turn: number): void {
    if (decision !== null || this.waiting.has(String(id))) return
    this.waiting.add(String(id))
    const at = isPlainObject(approval) ? approval['at'] : undefined
    this.names.set(String(id), String(name))
    const row = { toolName: String(name), callId: String(id), data: parsed(args) }
    this.add({ kind: 'waiting', ...row, ...(typeof at === 'number' && { at }) }, turn)
  }

  private decision({ call_id: id, decision, by }: Dict): void {
    const callId = String(id)
    const decided = this.calls.find((call) => call['id'] === callId)
    const toolName = String(decided?.['name'] ?? this.names.get(callId) ?? callId)
    const reason = decided?.['reason']
    const more = { ...(typeof by === 'string' && { by }), ...(typeof reason === 'string' && reason && { reason }) }
    const data = decided && { data: parsed(decided['arguments']) }
    // It belongs to the step that asked, which is completed.
    this.add({ kind: 'decision', toolName, callId, text: String(decision), ...data, ...more }, this.completed)
    this.waiting.delete(callId)
  }

  private inner({ place, entries }: Dict): void {
    const agent = this.agents.get(String(place)) ?? new Timeline()
    this.agents.set(String(place), agent)
    const known = agent.rows.length
    for (const entry of entries as Dict[]) agent.read(entry)
    for (const row of agent.rows.slice(known)) {
      // The task waits for the same calls, with the ids by which they are decided.
      if (row.kind === 'waiting' || row.kind === 'decision') continue
      const inner = row.inner === undefined ? String(place) : `${String(place)}/${row.inner}`
      this.rows.push({ ...row, turn: this.completed + 1, inner })
    }
  }

  private undo(): void {
    for (const row of this.rows) if (row.turn > this.completed) row.isUndone = true
    this.waiting.clear()
  }
}

/** Arguments as an object, if they are its JSON. */
function parsed(args: unknown): unknown {
  return typeof args === 'string' ? jsonOr(args, args) : args
}
