/** Language models that answer from a script. */
import type { Dict, EventPayload } from '@x/core-model'
import type { RecordingCallbackHandler, ScriptedLLM } from '@x/core-model/testing'
import { type Operations, operation } from '../../case.ts'
import { argument, list, number, object, optional, shape } from '../../reader.ts'
import { componentInputs } from '../../stand-ins/component-inputs.ts'
import { message, messageOf } from '../../stand-ins/messages.ts'
import { type ModelRecord, model, modelOf, requestsOf } from '../../stand-ins/model.ts'
import { prompt, promptOf, variables } from '../../stand-ins/prompts.ts'
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

export const languageModel: Operations = {
  'llm.predict': operation(shape({ llm: model, prompt, vars: variables }), (given) => {
    const { llm, handler } = modelOf(given.llm)
    return outcome(
      async () => {
        const output = await llm.predict(promptOf(given.prompt), given.vars)
        return { output, templating: templatingOf(handler) }
      },
      () => ({ calls: requestsOf(llm), events: handler.summary() }),
    )
  }),

  'llm.stream': operation(shape({ llm: model, prompt, vars: variables, stop_after: optional(number) }), (given) => {
    const { llm, handler } = modelOf(given.llm)
    const tokens: string[] = []
    return outcome(
      async () => {
        for await (const token of llm.stream(promptOf(given.prompt), given.vars)) {
          tokens.push(token)
          if (tokens.length === given.stop_after) break
        }
        return {}
      },
      () => ({ tokens, calls: requestsOf(llm), events: handler.summary() }),
    )
  }),

  'llm.chat': operation(shape({ llm: model, messages: list(message), kwargs: optional(object) }), (given) =>
    request(given.llm, async (llm) => {
      const { message } = await llm.chat(given.messages.map(messageOf), given.kwargs)
      return { message: message.toDict() }
    }),
  ),

  'llm.complete': operation(shape({ llm: model, prompt: argument<string>(), kwargs: optional(object) }), (given) =>
    request(given.llm, async (llm) => ({ text: (await llm.complete(given.prompt, given.kwargs)).text })),
  ),

  'llm.query_component': operation(
    shape({ llm: model, partial: optional(componentInputs), input: componentInputs }),
    async (given) => {
      const { llm } = modelOf(given.llm)
      const component = llm.asQueryComponent({ partial: given.partial })
      const { output } = await component.runComponent(given.input)
      return { input_keys: [...component.inputKeys.required], output: String(output), calls: requestsOf(llm) }
    },
  ),
}
