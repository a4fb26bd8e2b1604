/**
 * @module
 * Reads the streams of LangChain's models that use OpenAI's client, such as ChatOpenAI. That client stops at events without data, and
 * LangChain leaves out the reasons of chunks without a delta, and the end of the stream. The client takes a reader of streams from the options
 * of a request; other models ignore it.
 */
import { END, ModelServer, type ServerData } from '@x/llm/server'
import { secretsOf } from './langchain-error.ts'

/** Returns the option of a call with which the model's client reads streams here; none for models with another client. */
export function streamReader(model: object): { __streamClass?: object } {
  if (!('clientConfig' in model)) return {}
  const fromSSEResponse = (response: Response, controller: AbortController) => chunksOf(model, response, controller)
  return { __streamClass: { fromSSEResponse } }
}

const ended: ServerData = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

async function* chunksOf(
  model: object,
  response: Response,
  controller: AbortController,
): AsyncGenerator<ServerData, void, undefined> {
  const baseUrl = response.url || 'http://localhost'
  const [server] = ModelServer.of({}, { title: 'LangChainLLM', baseUrl })
  const reasons: unknown[] = []
  try {
    for await (const data of server.objectsIn({ response, secrets: secretsOf(model) })) {
      const choices = Array.isArray(data?.['choices']) ? (data['choices'] as ServerData[]) : []
      reasons.push(...choices.map((choice) => choice['finish_reason']))
      const isOpen = reasons.length > 0 && !reasons.some(Boolean)
      if (data === END && isOpen) yield ended
      else if (data && data !== END) yield { ...data, ...(choices.length > 0 && { choices: choices.map(withDelta) }) }
    }
  } finally {
    // Closes the connection when the reader leaves early.
    controller.abort()
  }
}

/** Returns a choice in the form that LangChain reads: a delta with a role, a text and calls. */
function withDelta(choice: ServerData): ServerData {
  const given = Object(choice['delta'] ?? choice['message']) as ServerData
  const { content, function_call: call } = given
  const texts = Array.isArray(content) ? content.map((part) => Object(part).text as unknown) : null
  return {
    ...choice,
    delta: {
      ...given,
      role: given['role'] ?? 'assistant',
      ...(texts && { content: texts.filter((text) => typeof text === 'string').join('') }),
      ...(Object(call) === call && { tool_calls: [{ index: 0, function: call }] }),
    },
  }
}
