/** Language models that answer from a script. */
import type { Dict, EventPayload } from '@x/core-model'
import type { RecordingCallbackHandler } from '@x/core-model/testing'
import type { ScriptedLLM } from '@x/llm/testing'
import type { Variables } from '@x/prompts'
import type { Operations } from '../../case.ts'
import { componentInputs } from '../../stand-ins/component-inputs.ts'
import { type MessageRecord, messagesOf } from '../../stand-ins/messages.ts'
import { type ModelRecord, modelOf, requestsOf } from '../../stand-ins/model.ts'
import { type PromptRecord, promptOf } from '../../stand-ins/prompts.ts'
import { outcome } from './outcome.ts'

/** The payload of the first start event, of one type or of any. */
function startPayload({ events }: RecordingCallbackHandler, type?: string): EventPayload | null {
  const start = events.find((event) => event.phase === 'start' && (type === undefined || event.type === type))
  return start?.phase === 'start' ? start.payload : null
}

function templatingOf(handler: RecordingCallbackHandler): Dict {
  const { query_wrapper_prompt, ...payload } = startPayload(handler, 'templating') ?? {}
  return payload
}

/** Runs one request; on failure only the events count. */
function request(record: ModelRecord, call: (llm: ScriptedLLM) => Promise<Dict>): Promise<Dict> {
  const { llm, handler } = modelOf(record)
  return outcome(
    async () => ({
      ...(await call(llm)),
      calls: requestsOf(llm),
      additional_kwargs: startPayload(handler)?.['additional_kwargs'],
    }),
    () => ({ events: handler.summary() }),
  )
}

interface OfModel {
  llm: ModelRecord
  kwargs?: Dict
}

interface OfPrompt extends OfModel {
  prompt: PromptRecord
  vars?: Variables
}

export const languageModel: Operations = {
  'llm.predict': ({ llm: record, prompt, vars }: OfPrompt) => {
    const { llm, handler } = modelOf(record)
    return outcome(
      async () => {
        const output = await llm.predict(promptOf(prompt), vars)
        return { output, templating: templatingOf(handler) }
      },
      () => ({ calls: requestsOf(llm), events: handler.summary() }),
    )
  },

  'llm.stream': ({ llm: record, prompt, vars, stopAfter }: OfPrompt & { stopAfter?: number }) => {
    const { llm, handler } = modelOf(record)
    const tokens: string[] = []
    return outcome(
      async () => {
        for await (const token of llm.stream(promptOf(prompt), vars)) {
          tokens.push(token)
          if (tokens.length === stopAfter) break
        }
        return {}
      },
      () => ({ tokens, calls: requestsOf(llm), events: handler.summary() }),
    )
  },

  'llm.chat': ({ llm, messages, kwargs }: OfModel & { messages: MessageRecord[] }) =>
    request(llm, async (model) => ({ message: (await model.chat(messagesOf(messages), kwargs)).message.toDict() })),

  'llm.complete': ({ llm, prompt, kwargs }: OfModel & { prompt: string }) =>
    request(llm, async (model) => ({ text: (await model.complete(prompt, kwargs)).text })),

  'llm.query_component': async ({ llm: record, partial, input }: OfModel & { partial?: Dict; input: Dict }) => {
    const { llm } = modelOf(record)
    const component = llm.asQueryComponent({ partial: partial && componentInputs(partial) })
    const { output } = await component.runComponent(componentInputs(input))
    return { input_keys: [...component.inputKeys.required], output: String(output), calls: requestsOf(llm) }
  },
}
