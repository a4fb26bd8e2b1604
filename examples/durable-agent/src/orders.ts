/**
 * @module
 * The orders in Restate.
 */
import type { ToolDecision } from '@x/agents'
import type { AgentStatus } from '@x/restate'

/** Submits orders, reads their status and decides about calls, by plain HTTP. */
export class Orders {
  private readonly ingress: string

  constructor(ingress: string) {
    this.ingress = ingress
  }

  /** Submits an order. Submitting it twice changes nothing. */
  async submit(taskId: string, input: string): Promise<void> {
    await this.post(`order/${taskId}/run/send`, { input })
  }

  /** Returns the status of the agent of an order. */
  status(taskId: string): Promise<AgentStatus> {
    return this.post(`order/${taskId}/status`) as Promise<AgentStatus>
  }

  /** Decides about a call that waits. */
  async decide(taskId: string, decision: ToolDecision): Promise<void> {
    await this.post(`order/${taskId}/decide`, decision)
  }

  /** Waits for the answer, even if workers die. */
  async answer(taskId: string): Promise<string> {
    const response = await fetch(`${this.ingress}/restate/workflow/order/${taskId}/attach`)
    const data = (await response.json()) as { response?: string; message?: string }
    if (!response.ok) throw new Error(data.message)
    return data.response ?? ''
  }

  private async post(path: string, body?: unknown): Promise<unknown> {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${this.ingress}/${path}`, { method: 'POST', ...(body !== undefined && json) })
    const text = await response.text()
    const data = text === '' ? undefined : (JSON.parse(text) as { message?: string })
    if (!response.ok) throw new Error(data?.message ?? `${path}: ${response.status}`)
    return data
  }
}
