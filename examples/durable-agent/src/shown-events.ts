/**
 * @module
 * The events of tasks as lines of the page.
 */
import type { AgentEvent } from '@x/agents'
import { type DurableTasks, type TaskEvents, validEvents } from '@x/durable'

/** A line of the page. */
export interface ShownEvent {
  type: string
  text: string
}

/** Reads the events of tasks while they happen. */
export class ShownEvents {
  private readonly tasks: DurableTasks
  private readonly signal: AbortSignal
  private readonly records = new Map<string, TaskEvents[]>()

  constructor(tasks: DurableTasks, signal: AbortSignal) {
    this.tasks = tasks
    this.signal = signal
  }

  /** Reads the events of a task until it ends. */
  async follow(taskId: string): Promise<void> {
    const records: TaskEvents[] = []
    this.records.set(taskId, records)
    for await (const record of this.tasks.events(taskId, { signal: this.signal })) records.push(record)
  }

  /** Returns the lines of a task so far. */
  lines(taskId: string): ShownEvent[] {
    const lines: ShownEvent[] = []
    for (const event of validEvents(this.records.get(taskId) ?? [])) {
      const text = textOf(event)
      const last = lines.at(-1)
      if (text === undefined) continue
      if (event.type === 'text_delta' && last?.type === 'text_delta') last.text += text
      else lines.push({ type: event.type, text })
    }
    return lines
  }
}

/** Returns the text of an event on the page; undefined for events that are not shown. */
function textOf(event: AgentEvent): string | undefined {
  if (event.type === 'text_delta') return event.delta
  if (event.type === 'tool_call') return `${event.toolName} ${JSON.stringify(event.arguments)}`
  if (event.type === 'tool_result') return event.content
  if (event.type === 'approval_required') return event.calls.map(({ name }) => `${name} waits for approval`).join(', ')
  if (event.type === 'error') return event.error.message
  return undefined
}
