import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers'
import {
  applyToolDecision,
  FunctionCallingAgent,
  FunctionTool,
  type JournalPort,
  journalPort,
  type ToolDecision,
} from '@x/agents'
import { isToolkitError, type Json, readJsonText, ToolkitError, writeJsonText } from '@x/core-model'
import { OpenAI } from '@x/openai'

interface Env {
  AGENT: Workflow<Input>
  MODEL_URL: string
  MODEL_KEY: string
  BANK_URL: string
}

interface Input {
  question: string
}

/** An agent as a workflow: its model calls and tool calls are steps, which the platform saves and does not repeat. */
export class AgentWorkflow extends WorkflowEntrypoint<Env, Input> {
  override async run({ instanceId, payload }: WorkflowEvent<Input>, step: WorkflowStep): Promise<string> {
    // As text, results keep integers of any size.
    const durable = journalPort(async (name, fn) => {
      const { value, error } = readJsonText(await step.do(name, () => result(name, fn))) as unknown as Result
      if (error) throw new ToolkitError(error.name, error.code, error.message)
      return value as never
    })
    const agent = makeAgent(this.env, durable)
    await agent.createTask(payload.question, { taskId: instanceId })
    for (;;) {
      try {
        return String(await agent.runTask(instanceId))
      } catch (error) {
        if (!isToolkitError(error, 'approval_required')) throw error
        for (const { id } of error.calls) {
          const decision = await step.waitForEvent<ToolDecision>(`decision about ${id}`, { type: eventType(id) })
          await applyToolDecision(agent, instanceId, decision.payload)
        }
      }
    }
  }
}

/** Returns the agent of one run. The environment of the worker contains the addresses and keys that it needs. */
function makeAgent({ MODEL_URL, MODEL_KEY, BANK_URL }: Env, durable: JournalPort): FunctionCallingAgent {
  const pay = FunctionTool.fromDefaults({
    name: 'pay',
    description: 'Pays an invoice.',
    schema: { type: 'object', properties: { invoice: { type: 'integer' } }, required: ['invoice'] },
    needsApproval: ({ invoice }) => invoice === 2,
    fn: async ({ invoice }, { idempotencyKey = '' }) => {
      // An interrupted step is repeated: by the key the bank recognizes the same payment.
      const headers = { 'idempotency-key': idempotencyKey }
      const response = await fetch(`${BANK_URL}/pay/${invoice}`, { method: 'POST', headers })
      return response.text()
    },
  })
  const llm = new OpenAI({ model: 'any', apiKey: MODEL_KEY, baseUrl: MODEL_URL })
  return FunctionCallingAgent.fromTools({ llm, tools: [pay], durable })
}

/** The result of a step: that of the call, or an error that is not retryable. */
interface Result {
  value?: Json
  error?: { name: string; code: string; message: string }
}

/** The maximum number of characters of a result: at most 1 MB in every encoding. The platform refuses 1 MiB, and would repeat the call. */
const MAX_CHARACTERS = 500_000

/** Makes a call. The platform repeats a step that throws, so an error that is not retryable is returned as a result. */
async function result(name: string, fn: () => Promise<Json>): Promise<string> {
  try {
    const text = writeJsonText({ value: await fn() })
    if (text.length <= MAX_CHARACTERS) return text
    const message = `The result of "${name}" has ${text.length} characters as JSON; a step may return ${MAX_CHARACTERS}.`
    throw new ToolkitError('ResultTooLargeError', 'result_too_large', message)
  } catch (error) {
    if (!isToolkitError(error) || error.retryable) throw error
    const { code, message } = error
    return writeJsonText({ error: { name: error.name, code, message } })
  }
}

/** Types of events may not contain every character of a call's id. */
function eventType(callId: string): string {
  return `decision-${callId.replace(/[^\w-]/g, '_')}`
}

/** `POST /ID` starts a run, `GET /ID` returns its status, `POST /ID/decide` takes a decision about a call. */
export default {
  async fetch(request: Request, { AGENT }: Env): Promise<Response> {
    const [, id = '', action] = new URL(request.url).pathname.split('/')
    if (request.method === 'POST' && action === undefined) {
      const params = await request.json<Input>()
      // The same id starts one run only.
      await AGENT.create({ id, params }).catch(() => AGENT.get(id))
    }
    const run = await AGENT.get(id)
    if (action === 'decide') {
      const decision = await request.json<ToolDecision>()
      await run.sendEvent({ type: eventType(decision.callId), payload: decision })
    }
    return Response.json(await run.status())
  },
} satisfies ExportedHandler<Env>
