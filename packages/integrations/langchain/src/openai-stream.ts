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
  let isRefused = false
  try {
    for await (const data of server.objectsIn({ response, secrets: secretsOf(model) })) {
      const choices = Array.isArray(data?.['choices']) ? (data['choices'] as ServerData[]) : []
      reasons.push(...choices.map((choice) => choice['finish_reason']))
      isRefused ||= choices.some((choice) => Boolean(Object(choice['delta']).refusal))
      const isOpen = reasons.length > 0 && !reasons.some(Boolean)
      if (data === END && isOpen) yield ended
      else if (data && data !== END)
        yield {
          ...data,
          ...(choices.length > 0 && { choices: choices.map((choice) => withDelta(choice, isRefused)) }),
          // Moonshot reports the usage in the choice.
          usage: data['usage'] ?? choices[0]?.['usage'],
        }
    }
  } finally {
    // Closes the connection when the reader leaves early.
    controller.abort()
  }
}

/** Returns a choice in the form that LangChain reads: a delta with a role, a text, which may be a refusal, and calls. */
function withDelta(choice: ServerData, isRefused: boolean): ServerData {
  const given = Object(choice['delta'] ?? choice['message']) as ServerData
  const { content, refusal, function_call: call, tool_calls: calls } = given
  const texts = [content, refusal].flat().map((part) => Object(part).text ?? part) as unknown[]
  return {
    ...choice,
    ...(isRefused && choice['finish_reason'] ? { finish_reason: 'content_filter' } : {}),
    delta: {
      ...given,
      role: given['role'] ?? 'assistant',
      content: texts.filter((text) => typeof text === 'string').join(''),
      ...(Array.isArray(calls) && { tool_calls: calls.filter(Boolean) }),
      ...(Object(call) === call && { tool_calls: [{ index: 0, function: call }] }),
    },
  }
}
